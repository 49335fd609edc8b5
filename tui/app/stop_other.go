//go:build !unix

package app

// hasShell is for systems whose shells stop programs.
func hasShell() bool { return false }

func onStop(func()) (end func()) { return func() {} }

func stopProcess() {}

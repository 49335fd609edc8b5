//go:build !unix

package app

// hasShell is for systems whose shells stop programs.
func hasShell() bool { return false }

func stopProcess() {}

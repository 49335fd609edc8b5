//go:build !unix

package tui

// hasShell is for systems whose shells stop programs.
func hasShell() bool { return false }

func stopProcess() {}

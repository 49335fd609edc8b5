//go:build !unix

package cli

// ignoreSizeLimit is for systems that send a signal.
func ignoreSizeLimit() {}

// Package hush keeps package sip from the terminal and from the environment while the program
// starts. sip's logger asks the terminal for its colours when it is made, before main: two
// questions, and where the terminal answers neither, ten seconds. Under CI it asks nothing.
//
// It imports next to nothing, so that it comes first: Go initialises those packages in the order
// of their paths that have all they import, and sip imports some that come later than this one.
package hush

import "os"

// ci is a variable that is set in continuous integration.
const ci = "CI"

var was, had = os.LookupEnv(ci)

func init() {
	_ = os.Setenv(ci, "true")
	_ = os.Unsetenv("SIP_DEBUG_INPUT") // with which sip logs what is typed
}

// Over puts the environment back when sip has been initialised.
func Over() {
	if had {
		_ = os.Setenv(ci, was)
	} else {
		_ = os.Unsetenv(ci)
	}
}

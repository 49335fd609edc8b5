// Package grammar is the text form of a state.Config: the session's flags, read by the commands and written by the
// screen ("the command line that reproduces this"). It knows no flag package and no terminal.
package grammar

// Program is the program's name in every line that it writes.
const Program = "psgld-tui"

// ListCommand is the command that lists the samplers and explains each.
const ListCommand = Program + " samplers"

// The session that is run when nothing is asked for.
const (
	DefaultTarget   = "gaussian"
	DefaultSamplers = "psgld,sgld"
	DefaultSeed     = 1
)

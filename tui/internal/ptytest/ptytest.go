// Package ptytest plays programs on a pseudo-terminal whose screen a test can
// read, and looks at what they leave behind.
package ptytest

import (
	"os"
	"slices"
	"strings"
	"time"
)

// Patience is how long a test waits for what must come. What does come takes a second, and
// a hundred times as long on a busy machine or with the race detector.
const Patience = 5 * time.Minute

// terminal are the variables of a terminal with all colours, and others those by which
// programs tell terminals apart beside them.
var (
	terminal = []string{"TERM=xterm-256color", "COLORTERM=truecolor", "LC_ALL=C.UTF-8"}
	others   = []string{"NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "LINES", "COLUMNS", "TMUX", "STY", "TERM_PROGRAM",
		"SSH_TTY", "SSH_CONNECTION", "WT_SESSION", "KITTY_WINDOW_ID"}
)

// Env is the environment of a program on a terminal with all colours, with some
// variables more. Of the tests' own terminal it has nothing.
func Env(more ...string) []string {
	env := slices.DeleteFunc(os.Environ(), func(v string) bool {
		key, _, _ := strings.Cut(v, "=")
		return slices.Contains(others, key)
	})
	return append(append(env, terminal...), more...)
}

// Alone gives the tests themselves the environment of such a terminal, whatever they run on.
func Alone() {
	for _, key := range others {
		os.Unsetenv(key)
	}
	for _, v := range terminal {
		key, value, _ := strings.Cut(v, "=")
		os.Setenv(key, value)
	}
}

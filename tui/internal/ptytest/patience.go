// Package ptytest plays programs on a pseudo-terminal whose screen a test can
// read, and looks at what they leave behind.
package ptytest

import "time"

// Patience is how long a test waits for what must come. What does come takes a second, and
// a hundred times as long on a busy machine or with the race detector.
const Patience = 5 * time.Minute

//go:build race

package class

// raced says that the race detector is on.
const raced = true

// Package engine is the plain data that a session of samplers hands out.
//
// In go a [state.Config] and, while it runs, each [state.Command]. Out come a [Snapshot] for the screen, and at the end
// a [Result] and a [Recording], which plays the same session again. Package session, below this one, runs it.
package engine

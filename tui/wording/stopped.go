package wording

import "github.com/psgld/psgld-tui/engine"

// Stopped is what became of a lane that has stopped: it diverged, or there was no gradient.
func Stopped(d *engine.Divergence) string {
	if d.Failed != "" {
		return "stopped"
	}
	return "diverged"
}

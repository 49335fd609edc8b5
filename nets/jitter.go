package nets

import "github.com/psgld/psgld-tui/nets/internal/f32"

// jitterSpace is memory for the random words of a stretch of an example.
type jitterSpace [256]uint32

// addJitter makes gather add N(0, sd²) to every input.
func (ws *Workspace) addJitter(sd float32) {
	if ws.jitter == nil {
		ws.jitter = make([]jitterSpace, ws.team.Workers())
	}
	ws.job.jitter = sd
}

// jitter adds sd·N(0, 1) to every number of x, of the words from place on, one for each.
func jitter(x []float32, sd float32, r Random, place uint64, space *jitterSpace) {
	for len(x) > 0 {
		part := x[:min(len(x), len(space))]
		words := space[:(len(part)+1)&^1]
		r.Words(words, place)
		f32.AddNormals(part, sd, words)
		x, place = x[len(part):], place+uint64(len(space))
	}
}

//go:build !amd64 || noasm

package sampler

import "github.com/psgld/psgld-tui/engine/noise"

// move is moveGeneric.
func move(_ string, c stretch, r *rule, s *sums, z *noise.Schedule) { moveGeneric(c, r, s, z) }

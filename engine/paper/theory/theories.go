// Package theory measures what the paper proves: sections 4.1, 4.2 and the supplement's part D.
package theory

import "github.com/psgld/psgld-tui/engine/paper"

// theories measure what the paper proves (sections 4.1 and 4.2) on Gaussians, whose
// truth is known and on which much of SGLD is known exactly.
func Experiments() []paper.Experiment {
	return []paper.Experiment{theoryRisk(), theoryRate(), theoryGammaTerm(), theoryThinning()}
}

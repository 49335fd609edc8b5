package experiment

// theories measure what the paper proves (sections 4.1 and 4.2) on Gaussians, whose
// truth is known and on which much of SGLD is known exactly.
func theories() []Experiment {
	return []Experiment{theoryRisk(), theoryRate(), theoryGammaTerm(), theoryThinning()}
}

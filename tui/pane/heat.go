package pane

import "github.com/psgld/psgld-tui/targets"

// A Heat is what the plane of a classification shows.
type Heat uint8

// The heats.
const (
	HeatMean  Heat = iota // the probability of class 1
	HeatSD                // its standard deviation over the draws
	HeatApart             // the greatest difference between lanes
	HeatOff               // the truth's less the lane's
	numHeats
)

func (h Heat) String() string {
	return [...]string{"P(class 1)", "sd over draws", "lanes apart", "truth - lane"}[h%numHeats]
}

// Next is the heat behind h that so many lanes can have, with a truth or without.
func (h Heat) Next(lanes int, truth bool) Heat {
	for h = (h + 1) % numHeats; h == HeatApart && lanes < 2 || h == HeatOff && !truth; {
		h = (h + 1) % numHeats
	}
	return h
}

// HeatNow is the frame's heat, the probability where there is not what it takes.
func (f *Frame) HeatNow() Heat {
	if h := f.Heat; h == HeatApart && len(f.Lanes()) < 2 || h == HeatOff && f.Problem().Function == nil {
		return HeatMean
	}
	return f.Heat
}

// Function is the target as one whose parameters make a function; nil where it is none.
func Function(p *targets.Problem) targets.Functional {
	if p == nil {
		return nil
	}
	t, _ := p.F64.(targets.Functional)
	return t
}

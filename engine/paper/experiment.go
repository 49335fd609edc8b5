// Package paper defines what an experiment of the paper is: Preconditioned Stochastic
// Gradient Langevin Dynamics for Deep Neural Networks (Li, Chen, Carlson and Carin, AAAI
// 2016).
//
// The experiments themselves lie in simulation, regression, network and theory; figure
// draws, claim weighs numbers, and reproduce lists and runs them all.
package paper

import "github.com/psgld/psgld-tui/engine/study"

// A Reading is one of the two protocols that the paper's experiments have: its
// text's, and that of its authors' released code (PAPER §3).
type Reading string

// The readings.
const (
	Text    Reading = "paper"
	Authors Reading = "authors"
)

// A Scale is how much of a protocol is run.
type Scale string

// The scales. Quick ones are for a look and are labelled as such: smaller
// networks, fewer epochs, draws or repeats. Full ones have the text's numbers.
const (
	Quick Scale = "quick"
	Full  Scale = "full"
)

// Options say how an experiment is run.
type Options struct {
	Reading Reading
	Scale   Scale
	Seed    uint64         // of the first repeat
	Repeats int            // over seeds that follow it; 0 for the experiment's own number
	Targets *study.Targets // opens what is sampled
}

// An Experiment is a table or figure of the paper, or a statement of its theory,
// as data: which sessions it takes and what is made of them.
type Experiment struct {
	ID, Title string
	Source    string    // in the paper, such as "section 4.1, figure 1(a)"
	Readings  []Reading // that it has; the first is the default
	// Protocol says in a line or two what a reading and scale run, with what
	// differs from the paper.
	Protocol func(o Options) string
	// Jobs are the sessions. The error is that of a target that cannot be opened.
	Jobs func(o Options) ([]study.Job, error)
	// Report makes of their outcomes, by ID, what is shown. Jobs that were skipped
	// or are missing leave gaps that it names.
	Report func(o Options, outcomes map[string]study.Outcome) Report
}

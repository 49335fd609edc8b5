// Package quantity is the table of what is measured of a lane.
//
// A quantity is one entry of [All], or of [Coordinates] if each coordinate has its own. The entry says what it is
// called, what it means, how it is written, where it has a meaning, what trust in it rests on, and how it is read.
// Everything that shows numbers goes by the table: the tables, charts and cards of the screen, the lines, tables, CSV
// and JSON of the command line, sweeps, lessons and the glossary.
//
// A quantity is always read as a [metrics.Estimate]. Whether it can be trusted is decided in one place, trustOf, so
// that no reader has a rule of its own.
package quantity

import (
	"slices"

	"github.com/psgld/psgld-tui/metrics"
)

// An ID is the place of a quantity of a lane in All and in Values.
type ID uint8

// A CoordID is the place of a quantity of a coordinate in Coordinates and in CoordValues.
type CoordID uint8

// Values are the quantities of a lane.
type Values [N]metrics.Estimate

// Timeless is v without what differs from run to run.
func (v Values) Timeless() Values {
	for id := range All {
		if All[id].Timed && v[id].OK() {
			v[id] = metrics.Withheld(metrics.Unknown, v[id].Draws)
		}
	}
	return v
}

// CoordValues are the quantities of a coordinate.
type CoordValues [NumCoord]metrics.Estimate

// Facts are what holds of a lane and its target for as long as they stay.
type Facts uint32

// The facts.
const (
	Sampling      Facts = 1 << iota // its path is a Markov chain's
	Optimising                      // its path goes to an optimum
	Variational                     // its draws are independent ones of a fitted family
	Fitting                         // Optimising or Variational
	Metropolis                      // it accepts or rejects
	Data                            // the target has data
	TestSet                         // its predictions on a test set are scored
	TrainingSet                     // its predictions on the training set are scored
	NoTestSet                       // the training set alone is scored
	Truth                           // the mean of the target is known
	CovTruth                        // and its covariance
	Drawable                        // independent draws of the target can be made
	Reference                       // the truth was asked for and found
	Likelihood                      // the likelihood of the newest draw is known
	Density                         // and its density
	Several                         // there are several chains
	Ranked                          // draws are kept to be ranked: of θ, or of a network's probes
	Extrapolated                    // the bias of the step size is estimated
	Quartered                       // the chain is compared with itself at a quarter of its step
	Identified                      // the draws of θ itself are ranked
	Outside                         // gradients come from outside of the process
	Alone                           // it samples by a single chain
	Functional                      // draws are functions
	FunctionTruth                   // and the truth is known as one
	HeldOut                         // and it is scored on data held out
	OnLine                          // and it is a regression on a line
	Parted                          // its chains keep to different functions, each of them steady
	Stepped                         // its steps are made here, and not by another program that gives draws alone
	Sloped                          // the gradient of the log density is known
	Energies                        // the energies of its trajectories are known
	Trajectories                    // and which of them diverged
	Nowhere                         // holds of no lane: what is Shown there is in documents alone
)

// Has reports whether all of some facts hold.
func (f Facts) Has(all Facts) bool { return f&all == all }

// BiasUnknown reports whether a lane has a standard error, which is the chain's own, and nothing that tells of the bias
// of its step: it is no exact method, and there is no truth, closed form or estimate, or none that can be trusted. Of
// many coordinates those without companions do not count.
func BiasUnknown(f Facts, v *Values, coords []CoordValues) bool {
	return f.Has(Sampling) && !f.Has(Metropolis) && !v[MeanError].OK() && !v[FnError].OK() && !v[CovBias].OK() &&
		slices.ContainsFunc(coords, func(c CoordValues) bool {
			told := c[StepBias].OK() && c[StepBiasVar].OK() || c[QuarterMean].OK() && c[QuarterVar].OK()
			return c[MCSE].OK() && c[StepBias].Status != metrics.Unknown && !told
		})
}

// TellBias reports whether a lane has no bias of its step, or something that tells of it.
func (f Facts) TellBias() bool { return f&(Metropolis|Extrapolated|Quartered) != 0 }

// Form is how a quantity is written.
type Form uint8

// The forms.
const (
	Number Form = iota // by significant digits
	Count              // a whole number
	Share              // a part of 1, in percent for people
	Ratio              // a number near 1, by decimals
)

// Better is which way a quantity is better.
type Better uint8

// The ways.
const (
	Neither Better = iota
	Lower
	Higher
	Near // a value that is known: the temperature in force
)

// Basis is what trust in a quantity rests on.
type Basis uint8

// The bases.
const (
	Always      Basis = iota // nothing: a count, a clock, a state, a closed form
	Described                // that there are draws, which it describes
	Steps                    // steps, each of which adds to an average
	Predictions              // a prediction by a draw
	Sampled                  // a Markov chain's draws, which it compares
	Mixing                   // a chain, whose own statistics say when they can be trusted
	Chain                    // draws enough of the slowest coordinate to say something of the target
	Spread                   // draws enough of every coordinate to say something of the target's second moments
	numBases
)

// A Quantity is an entry of the table.
type Quantity struct {
	Key     string   // in JSON, CSV, lessons and sweeps; unique among the quantities of a lane, or of a coordinate
	Aliases []string // older keys, which are still read
	// ErrorKey is the key of its standard error in documents, of a quantity of each coordinate; empty if they have
	// none. That of a quantity of a lane has "_se" behind the key.
	ErrorKey string
	// Error is the quantity of a coordinate that is the standard error of this one, where that has a name and trust of
	// its own;
	// 0 for none.
	Error  CoordID
	Symbol string // its name where there is little room: in tables and lines
	Name   string // its name elsewhere
	Doc    string // what it is, in one sentence without a full stop
	Note   string // what else a reader should know of it; may be empty
	Form   Form
	Better Better
	Needs  Facts // where it has a meaning
	Shown  Facts // what some lane must be for tables to have it; JSON has it wherever it has a meaning
	Basis  Basis
	// Pareto's k of the tails beyond which there may be none, as metrics.NoMean; 0 for always
	Exists  float64
	Exact   ID    // the quantity that it would be without sampling error; 0 for none
	Charted bool  // it is in the history and has a curve
	Result  bool  // it tells of a whole run: results, sweeps and their tables have it
	Timed   bool  // it differs from run to run
	Ranks   bool  // it is an effective size of the draws that are ranked, which may be some of all
	Sweep   uint8 // its place among the panes of a sweep, the most telling first; 0 for none
	// Head is that of its column in the table of a result's coordinates; empty for the symbol.
	Head string
	Row  Row // of a quantity of a coordinate: its rows in the table of estimates
	// the order in which the table of estimates leaves rows out for want of room, highest first; 0 for no row
	Rank uint8

	Goal Goal // what a run may go on for until a quantity of a coordinate has come to it, see Until; zero for nothing

	read  func(r *Reading, coord int) metrics.Estimate
	score func(s *Scores) (value float64, draws uint64) // in the place of read, for Predictions
}

// A Row is where the table of estimates has a quantity of the two watched coordinates: before that of a lane's
// quantity, where some lane has all of some facts.
type Row struct {
	Before ID
	Needs  Facts
	Ranks  [2]uint8 // as Rank, of the first coordinate and of the second; 0 for no row
}

// A Goal says which numbers Until may ask for of a quantity.
type Goal struct {
	Doc         string
	Above, Most float64 // the numbers allowed, without Above itself
	Usual       float64
}

// HasError reports whether what is known of the quantity may have a standard error.
func (q *Quantity) HasError() bool { return q.ErrorKey != "" || q.Error != 0 }

// IsShown reports whether tables for people have the quantity of lanes of which some facts hold.
func (q *Quantity) IsShown(of Facts) bool { return q.Shown == 0 || of&q.Shown != 0 }

package metrics

import (
	"fmt"
	"math"
)

// Status says whether an estimate can be trusted, and if not, why not.
type Status uint8

const (
	OK         Status = iota
	TooShort          // more draws are needed
	Constant          // the draws do not vary beyond rounding
	NotFinite         // a draw was NaN or infinite, or a sum overflowed
	Diverged          // the chain ran away; for those who know that it did
	NoNoise           // T = 0: an optimiser's path, not a sample; for those who know
	NotSampled        // the draws are no chain's, but an optimiser's or a fitted family's; for those who know
)

// String is empty for OK, else the reason in words.
func (s Status) String() string {
	switch s {
	case OK:
		return ""
	case TooShort:
		return "too short"
	case Constant:
		return "constant"
	case NotFinite:
		return "not finite"
	case Diverged:
		return "diverged"
	case NoNoise:
		return "no noise"
	case NotSampled:
		return "no sampler"
	}
	return fmt.Sprintf("Status(%d)", uint8(s))
}

// Estimate is a number with the count of draws behind it. Value is NaN unless Status is OK.
type Estimate struct {
	Value  float64
	Draws  uint64
	Status Status
}

// OK reports whether the value can be trusted.
func (e Estimate) OK() bool { return e.Status == OK }

// known is an estimate that holds, unless v overflowed on the way.
func known(v float64, draws uint64) Estimate {
	if !finite(v) {
		return unknown(NotFinite, draws)
	}
	return Estimate{Value: v, Draws: draws}
}

func unknown(s Status, draws uint64) Estimate {
	return Estimate{Value: math.NaN(), Draws: draws, Status: s}
}

// finite reports whether v is neither NaN nor infinite.
func finite(v float64) bool { return v-v == 0 }

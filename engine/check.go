package engine

import (
	"github.com/psgld/psgld-tui/engine/check"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// Check is what watched draws are found to be, of those of the method that they are said to be of.
type Check struct {
	*check.Report
	// Lasts says that the draws are not the method's, and were that at the look before too, of at most half as many, or
	// that it is the first look: of a session that is looked at many times few right ones are accused then.
	Lasts bool
}

// Rejects reports whether the draws are not the method's.
func (c *Check) Rejects() bool { return c.Verdict == check.Inconsistent }

// CheckResult is the JSON document of a check.
type CheckResult struct {
	Consistent *bool      `json:"consistent"` // null where there are too few draws
	Draws      int        `json:"draws"`
	Needed     int        `json:"needed"` // draws to tell, about; 0 where these tell
	Diverges   bool       `json:"diverges"`
	Facts      []FactJSON `json:"facts"`
	Faults     [][]string `json:"faults"`
	Variant    string     `json:"variant,omitempty"` // what differs and is right all the same
	Notes      []string   `json:"notes,omitempty"`   // how the draws were tested, and what could not be
}

// FactJSON is a check.Fact in a document.
type FactJSON struct {
	Fact     string `json:"fact"`
	Expected Num    `json:"expected"`
	Found    Num    `json:"found"`
	SE       Num    `json:"se"`
	Z        Num    `json:"z"`
	Fails    bool   `json:"fails"`
}

// CheckOf is the document of a report.
func CheckOf(r *check.Report) *CheckResult {
	d := &CheckResult{Draws: r.Draws, Needed: r.Needed, Diverges: r.Diverges, Notes: r.Notes}
	if r.Verdict != check.TooFew {
		d.Consistent = new(r.Verdict == check.Consistent)
	}
	d.Facts = list.Map(r.Facts, func(f check.Fact) FactJSON {
		return FactJSON{f.Name, Num(f.Expected), Num(f.Found), Num(f.SE), Num(f.Z), f.Fails}
	})
	d.Faults = [][]string{}
	for _, faults := range [][]check.Fault{r.Faults, r.Lesser} {
		if faults != nil {
			d.Faults = append(d.Faults, list.Distinct(list.Map(faults, func(f check.Fault) string { return f.Key })))
		}
	}
	if r.Variant != nil {
		d.Variant = r.Variant.Key
	}
	return d
}

package study

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/psgld/psgld-tui/engine/numerics"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// Merged is what the results files of all shards of a plan hold together.
type Merged struct {
	Plan     string // its name
	Hash     string
	Version  string // of the program; of several, those that there are
	Request  Request
	Outcomes []Outcome // in the plan's order
	mixed    bool      // the files are of several numerics versions
}

// Merge reads the results files of all shards of one plan, in any order. It is an error
// if a file is of another plan or number of shards, and if a shard is missing, there twice or not finished. Files
// of several versions of the program belong together where Check finds that their jobs have the same digits.
func Merge(paths []string) (Merged, error) {
	var m Merged
	if len(paths) == 0 {
		return m, fmt.Errorf("no results file to merge")
	}
	var parts [][]Outcome
	oldest := 0
	var versions []string
	from := map[int]string{}
	for k, path := range paths {
		h, outcomes, err := readFile(path)
		if err != nil {
			return m, err
		}
		s, err := ParseShard(h.Shard)
		if err != nil {
			return m, fmt.Errorf("%s: shard %w", path, err)
		}
		if k == 0 {
			oldest = h.Numerics
			m = Merged{Plan: h.Plan, Hash: h.Hash, Request: h.Request}
			parts = make([][]Outcome, s.N)
		}
		switch {
		case h.Hash != m.Hash:
			return m, fmt.Errorf("%s is of another plan (%s, %s) than %s (%s, %s)", path, h.Plan, h.Hash, paths[0],
				m.Plan, m.Hash)
		case s.N != len(parts):
			return m, fmt.Errorf("%s is shard %s, and %s one of %d", path, s, paths[0], len(parts))
		case from[s.I] != "":
			return m, fmt.Errorf("%s and %s are both shard %s", from[s.I], path, s)
		case len(outcomes) != h.Jobs:
			return m, fmt.Errorf("%s has %d of the %d jobs of shard %s: run it again to its end", path,
				len(outcomes), h.Jobs, s)
		}
		m.mixed = m.mixed || h.Numerics != oldest
		versions = list.Distinct(append(versions, h.Version))
		for k := range outcomes {
			o := &outcomes[k]
			o.numerics = h.Numerics
			if o.At%s.N != s.I-1 {
				return m, fmt.Errorf("%s holds job %d, which shard %s does not have", path, o.At, s)
			}
		}
		from[s.I], parts[s.I-1] = path, outcomes
	}
	if missing := list.Filter(list.Upto(len(parts)), func(i int) bool { return from[i+1] == "" }); missing != nil {
		shards := list.Map(missing, func(i int) string { return Shard{i + 1, len(parts)}.String() })
		return m, fmt.Errorf("no results of shard %s of %s", list.Some(shards, 10), m.Plan)
	}
	m.Version = strings.Join(versions, ", ")
	m.Outcomes = slices.Concat(parts...)
	slices.SortFunc(m.Outcomes, func(a, b Outcome) int { return cmp.Compare(a.At, b.At) })
	return m, nil
}

// Check returns an error if an outcome is not that of the job of p in its place, or a job has none. Where the files are
// of several numerics versions it is one too if an outcome has other digits than the job has now.
func (m Merged) Check(p Plan) error {
	if len(m.Outcomes) != p.Len() {
		return fmt.Errorf("there are %d outcomes of %d jobs", len(m.Outcomes), p.Len())
	}
	for i, o := range m.Outcomes {
		if o.At != i {
			return fmt.Errorf("there is no outcome of job %d", i)
		}
		if j := p.Job(i); o.ID != j.ID || o.Job != j.Hash() {
			return fmt.Errorf("%q is not job %d, which is %q", o.ID, i, j.ID)
		} else if err := o.fits(j); err != nil {
			return err
		} else if m.mixed && o.Outdated(j) {
			return fmt.Errorf("%q has the digits of numerics version %d, which are others by version %d: run its "+
				"shard again", o.ID, o.numerics, numerics.Version)
		}
	}
	return nil
}

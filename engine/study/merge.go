package study

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/psgld/psgld-tui/targets/list"
)

// Merged is what the results files of all shards of a plan hold together.
type Merged struct {
	Plan     string // its name
	Hash     string
	Version  string // of the program
	Request  Request
	Outcomes []Outcome // in the plan's order
}

// Merge reads the results files of all shards of one plan, in any order. It is an error
// if a file is of another plan, version or number of shards, and if a shard is missing,
// there twice or not finished.
func Merge(paths []string) (Merged, error) {
	var m Merged
	if len(paths) == 0 {
		return m, fmt.Errorf("no results file to merge")
	}
	var parts [][]Outcome
	numerics := 0
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
			numerics = h.Numerics
			m = Merged{Plan: h.Plan, Hash: h.Hash, Version: h.Version, Request: h.Request}
			parts = make([][]Outcome, s.N)
		}
		switch {
		case h.Hash != m.Hash:
			return m, fmt.Errorf("%s is of another plan (%s, %s) than %s (%s, %s)", path, h.Plan, h.Hash, paths[0], m.Plan, m.Hash)
		case h.Version != m.Version:
			return m, fmt.Errorf("%s is by version %s of the program, %s by %s", path, h.Version, paths[0], m.Version)
		case h.Numerics != numerics:
			return m, fmt.Errorf("%s is of numerics version %d, %s of %d", path, h.Numerics, paths[0], numerics)
		case s.N != len(parts):
			return m, fmt.Errorf("%s is shard %s, and %s one of %d", path, s, paths[0], len(parts))
		case from[s.I] != "":
			return m, fmt.Errorf("%s and %s are both shard %s", from[s.I], path, s)
		case len(outcomes) != h.Jobs:
			return m, fmt.Errorf("%s has %d of the %d jobs of shard %s: run it again to its end", path, len(outcomes), h.Jobs, s)
		}
		for _, o := range outcomes {
			if o.At%s.N != s.I-1 {
				return m, fmt.Errorf("%s holds job %d, which shard %s does not have", path, o.At, s)
			}
		}
		from[s.I], parts[s.I-1] = path, outcomes
	}
	var missing []string
	for i := range parts {
		if from[i+1] == "" {
			missing = append(missing, Shard{i + 1, len(parts)}.String())
		}
	}
	if missing != nil {
		return m, fmt.Errorf("no results of shard %s of %s", list.Some(missing, 10), m.Plan)
	}
	m.Outcomes = slices.Concat(parts...)
	slices.SortFunc(m.Outcomes, func(a, b Outcome) int { return cmp.Compare(a.At, b.At) })
	return m, nil
}

// Check returns an error if an outcome is not that of the job of p in its place, or a job has
// none.
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
		}
	}
	return nil
}

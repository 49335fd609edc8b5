package panel

import (
	"sync"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/param"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// laneNames are the lanes' titles with their letter, "A pSGLD", and where several
// lanes have the same sampler with that in which they differ, "A pSGLD, ε 0.1".
// They are made again only when they change.
type laneNames [theme.NumLanes]string

// letterWidth is the width of a lane's letter and of the blank after it.
const letterWidth = 2

func (n *laneNames) of(f *Frame, v *engine.LaneView) string {
	var b [256]byte
	name := append(b[:0], letter(v.ID)...)
	name = f.appendTitle(append(name, ' '), v)
	if e := &n[slot(v.ID)]; *e != string(name) {
		*e = string(name)
	}
	return n[slot(v.ID)]
}

// appendTitle writes a lane's title and the parameters in which the lane differs from
// others of its sampler.
func (f *Frame) appendTitle(dst []byte, v *engine.LaneView) []byte {
	dst = append(dst, v.Title...)
	differ := false
	for i := range f.lanes() {
		o := &f.Snap.Lanes[i]
		if o.Setting.Sampler != v.Setting.Sampler {
			continue
		}
		for key, x := range v.Setting.Values {
			differ = differ || o.Setting.Values[key] != x
		}
	}
	if !differ {
		return dst
	}
	for _, p := range f.paramsOf(v) {
		x, ok := v.Setting.Values[p.Key]
		if !ok || !f.differs(p.Key, v.Setting.Sampler) {
			continue
		}
		dst = append(dst, ", "...)
		dst = append(append(dst, symbolOf(&f.Theme, &p)...), ' ')
		digits := 0
		for i := range f.lanes() {
			o := &f.Snap.Lanes[i].Setting
			if y, ok := o.Values[p.Key]; ok && o.Sampler == v.Setting.Sampler {
				digits = max(digits, digitsApart(p, x, y, stripDigits))
			}
		}
		dst = appendDigits(dst, p, x, digits)
	}
	return dst
}

// differs reports whether lanes that have a parameter have different values of it:
// lanes of one sampler, or of any if its name is empty.
func (f *Frame) differs(key, of string) bool {
	first, found := 0.0, false
	for i := range f.lanes() {
		set := &f.Snap.Lanes[i].Setting
		x, ok := set.Values[key]
		switch {
		case !ok || of != "" && set.Sampler != of:
		case !found:
			first, found = x, true
		case x != first:
			return true
		}
	}
	return false
}

// letter is how a lane is called, A to D.
func letter(id int) string {
	i := slot(id)
	return "ABCD"[i : i+1]
}

// widestTitle is the width of the widest of the lanes' titles without their letter.
func (n *laneNames) widestTitle(f *Frame) int {
	most := 0
	for i := range f.lanes() {
		most = max(most, plane.Width(n.of(f, &f.Snap.Lanes[i]))-letterWidth)
	}
	return most
}

// known are the parameters of the samplers on the newest target, kept since every
// frame needs those of every lane.
var known paramCache

type paramCache struct {
	mu      sync.Mutex
	problem *targets.Problem
	of      map[string][]param.Param
}

func (c *paramCache) params(p *targets.Problem, name string) []param.Param {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.problem != p {
		c.problem, c.of = p, map[string][]param.Param{}
	}
	all, ok := c.of[name]
	if !ok {
		if _, has := sampler.Find(name); has {
			all = engine.Params(p, name)
		}
		c.of[name] = all
	}
	return all
}

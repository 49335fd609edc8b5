package frametest

import (
	"math"
	"math/rand/v2"
	"reflect"
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
)

// Spoil walks a value and replaces some of what it holds, by the odds, by what nobody expects: numbers that are none or
// beyond all bounds, texts that break lines, nothing at all. Problems and configurations it leaves alone, and what the
// value shares with others.
func Spoil(v reflect.Value, r *rand.Rand, odds float64) {
	switch v.Type() {
	case reflect.TypeFor[*targets.Problem](), reflect.TypeFor[state.Config]():
		return
	}
	hit := r.Float64() < odds
	switch v.Kind() {
	case reflect.Float64:
		if hit {
			bad := [...]float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, -1, 1e308, -1e308, 5e-324, 1e-9, 1e9}
			v.SetFloat(bad[r.IntN(len(bad))])
		}
	case reflect.Uint64, reflect.Uint32, reflect.Uint8:
		if hit {
			bad := [...]uint64{0, 1, 1e9, math.MaxUint64}
			v.SetUint(bad[r.IntN(len(bad))])
		}
	case reflect.Int:
		if hit {
			v.SetInt(int64(r.IntN(7) - 2))
		}
	case reflect.Bool:
		if hit {
			v.SetBool(!v.Bool())
		}
	case reflect.String:
		if hit {
			bad := [...]string{"", strings.Repeat("long name ", 40), "日本語\n\tβ", "\x1b[31mred",
				"\u009b31m\x9d0;x\x7f\u202e", "e\u0301🏴‍☠️"}
			v.SetString(bad[r.IntN(len(bad))])
		}
	case reflect.Slice:
		if hit && v.CanSet() {
			v.Set(reflect.Zero(v.Type()))
			return
		}
		if v.CanSet() && v.Len() > 0 { // others may have it too
			c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
			reflect.Copy(c, v)
			v.Set(c)
		}
		for i := range v.Len() {
			if v.Len() < 40 || r.IntN(v.Len()) < 40 {
				Spoil(v.Index(i), r, odds)
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			Spoil(v.Index(i), r, odds)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			if hit {
				v.Set(reflect.Zero(v.Type()))
				return
			}
			c := reflect.New(v.Type().Elem())
			c.Elem().Set(v.Elem())
			Spoil(c.Elem(), r, odds)
			v.Set(c)
		}
	case reflect.Map:
		if v.Type() == reflect.TypeFor[map[string]float64]() {
			m := map[string]float64{}
			for k, x := range v.Interface().(map[string]float64) {
				if r.Float64() >= odds {
					e := reflect.ValueOf(&x).Elem()
					Spoil(e, r, odds)
					m[k] = x
				}
			}
			v.Set(reflect.ValueOf(m))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				Spoil(v.Field(i), r, odds)
			}
		}
	}
}

// Hostile is a copy of a snapshot with the draws of none, of one or of 10⁹ steps, or
// as it was, and then spoiled by odds from none to all.
func Hostile(s *engine.Snapshot, r *rand.Rand) *engine.Snapshot {
	c := Copy(s)
	for i := range c.Lanes {
		v := &c.Lanes[i]
		switch r.IntN(6) {
		case 0:
			v.TrailX, v.TrailY, v.History, v.Draws, v.Kept, v.Step = nil, nil, nil, 0, 0, 0
		case 1:
			v.TrailX, v.TrailY, v.History = v.TrailX[:min(1, len(v.TrailX))], v.TrailY[:min(1, len(v.TrailY))],
				v.History[:min(1, len(v.History))]
			v.Draws, v.Kept, v.Step = 1, 1, 1
		case 2:
			v.Draws, v.Kept, v.Step, v.Executed = 1e9, 1e9, 1e9, 1e9
		case 3:
			for k := range v.Chains {
				oddChain(&v.Chains[k], r)
			}
		}
	}
	Spoil(reflect.ValueOf(c).Elem(), r, [...]float64{0, 0, 0.01, 0.1, 0.5, 1}[r.IntN(6)])
	return c
}

// oddChain gives what a chain has lengths that do not fit each other.
func oddChain(c *engine.ChainView, r *rand.Rand) {
	c.TrailX, c.TrailY = c.TrailX[:r.IntN(len(c.TrailX)+1)], c.TrailY[:r.IntN(len(c.TrailY)+1)]
	for j := range c.Ranks {
		c.Ranks[j] = c.Ranks[j][:r.IntN(len(c.Ranks[j])+1)]
	}
}

// Copy copies a snapshot with what Spoil changes in place.
func Copy(s *engine.Snapshot) *engine.Snapshot {
	c := *s
	Spoil(reflect.ValueOf(&c).Elem(), rand.New(rand.NewPCG(0, 0)), 0) // which copies all on its way
	return &c
}

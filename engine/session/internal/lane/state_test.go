package lane

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/session/internal/record"
	"github.com/psgld/psgld-tui/engine/state"
)

// sharedState are the fields of a copy whose memory keyframes share: what is never
// changed in place, and slices that are only appended to, which have no room left.
var sharedState = []string{
	"Config.Lanes", "Config.Truth.Values", "Setting.Values", "Setting.Problem", "Begun", "Window.Before", "Diverged", "Periods", "Digests",
	"Chains[].Past.levels[][].State", "Chains[].Past.first", "Chains[].recorders[].full",
	"held[].history.points", "held[].Averages.probed[].full", "held[].Averages.of[].labels",
}

// fields calls f for every pointer, slice and map in a pair of values of one type, with
// its path, and goes on into it where f says so.
func fields(path string, a, b reflect.Value, f func(path string, a, b reflect.Value) bool) {
	switch a.Kind() {
	case reflect.Struct:
		for i := range a.NumField() {
			fields(path+"."+a.Type().Field(i).Name, a.Field(i), b.Field(i), f)
		}
	case reflect.Array:
		for i := range a.Len() {
			fields(path+"[]", a.Index(i), b.Index(i), f)
		}
	case reflect.Pointer:
		if f(path, a, b) && !a.IsNil() && !b.IsNil() {
			fields(path, a.Elem(), b.Elem(), f)
		}
	case reflect.Slice:
		if f(path, a, b) {
			for i := range min(a.Len(), b.Len()) {
				fields(path+"[]", a.Index(i), b.Index(i), f)
			}
		}
	case reflect.Map:
		f(path, a, b)
	case reflect.Interface:
		if !a.IsNil() {
			fields(path, a.Elem(), b.Elem(), f)
		}
	case reflect.Chan, reflect.Func, reflect.UnsafePointer:
		panic("lane: a copy has the " + a.Kind().String() + " " + path)
	}
}

// write writes all that a value holds.
func write(w io.Writer, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Name != "shared" { // of a checkpoint, which says who else has it
				write(w, v.Field(i))
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			write(w, v.Index(i))
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			write(w, v.Elem())
		}
	case reflect.Float32, reflect.Float64:
		bits(w, math.Float64bits(v.Float()))
	case reflect.Int, reflect.Int32, reflect.Int64:
		bits(w, uint64(v.Int()))
	case reflect.Uint8, reflect.Uint32, reflect.Uint64:
		bits(w, v.Uint())
	default:
		fmt.Fprintln(w, v)
	}
}

func bits(w io.Writer, u uint64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], u)
	w.Write(b[:])
}

func fingerprint[F sampler.Float](s *record.Copy[F]) uint64 {
	h := fnv.New64a()
	write(h, reflect.ValueOf(s))
	return h.Sum64()
}

// No field of a lane is forgotten where it is copied: two frames of it share
// no memory but what neither changes, whatever the lane does a frame stays as it was, and
// what is made of it is that again.
func TestFramesAreWhole(t *testing.T) {
	innerlooptest.Skip(t, "deep comparisons of every state")
	for _, c := range []struct {
		target, method string
		steps          uint64
		chains         int
	}{{"gaussian", "psgld", 3000, 3}, {"gaussian", "sghmc", 700, 1}, {"blr:synthetic", "hmc", 40, 2}, {"mlp:20", "psgld", 90, 2}} {
		p := open(t, c.target)
		cfg := config(p, 0, map[string]float64{sampler.KeyThin: 10, sampler.KeyBurnIn: 30, sampler.KeyBatch: 20, "warmup": 60}, c.method)
		cfg.Chains = c.chains
		switch l := oneLane(t, cfg, cfg.Lanes[0], p).(type) {
		case *lane[float64]:
			frameIsWhole(t, l, c.steps)
		case *lane[float32]:
			frameIsWhole(t, l, c.steps)
		}
	}
}

func frameIsWhole[F sampler.Float](t *testing.T, l *lane[F], steps uint64) {
	defer l.Close()
	l.measures.Watch(state.Watch{Y: 1})
	l.Share(1)
	goOn := func() {
		l.Advance(steps / 3)
		l.Change(l.Setting.With(sampler.KeyEps, l.Setting.Eps()/2), false)
		l.Advance(steps)
		l.Rewind(steps / 2)
		l.Change(l.Setting.With(sampler.KeyThin, 2), false)
		l.Advance(steps / 2)
	}
	goOn()
	k, other := l.records.Copy(), l.records.Copy() // what one shares with the lane, both share
	var alias []string
	fields("", reflect.ValueOf(*other), reflect.ValueOf(*k), func(path string, a, b reflect.Value) bool {
		if path = strings.TrimPrefix(path[1:], "State."); a.IsNil() || b.IsNil() || a.Pointer() != b.Pointer() || a.Kind() != reflect.Pointer && a.Len() == 0 {
			return true
		}
		if !slices.ContainsFunc(sharedState, func(s string) bool {
			return path == s || len(path) > len(s) && path[:len(s)] == s && path[len(s)] == '.'
		}) {
			alias = append(alias, path)
		}
		if a.Kind() == reflect.Slice && path[:6] != "Chains" && b.Cap() > b.Len() && a.Cap() > a.Len() {
			t.Errorf("%s: both may be appended to", path)
		}
		return false
	})
	if len(alias) > 0 {
		t.Errorf("%s on %s: a frame shares %q with its lane", l.Setting.Sampler, l.Problem.Spec, alias)
	}
	want := fingerprint(k)
	for range 2 {
		goOn()
		if fingerprint(k) != want {
			t.Fatalf("%s on %s: what the lane does changes a frame of it", l.Setting.Sampler, l.Problem.Spec)
		}
		l.Restore(laneCopy[F]{k})
		if again := l.records.Copy(); fingerprint(again) != want {
			t.Fatalf("%s on %s: what was restored is something else", l.Setting.Sampler, l.Problem.Spec)
		}
	}
}

package record

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
)

// session is what a session of two lanes shows after some steps.
func played(t *testing.T, spec string, steps uint64) *engine.Snapshot {
	t.Helper()
	p, err := targets.Open(spec, targets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	cfg := state.Config{Target: spec, Seed: 1, Init: "random", Steps: steps,
		Lanes: []state.Setting{state.DefaultSetting(p, "psgld"), state.DefaultSetting(p, "sgld")}}
	s, err := session.New(cfg, p, session.Runtime{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s.Snapshot()
}

// rows reads CSV with the library, which demands as many fields in each row.
func rows(t *testing.T, write func(io.Writer) error) [][]string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	if n, m := strings.Count(b.String(), "\n"), strings.Count(b.String(), "\r\n"); n != m {
		t.Errorf("%d lines, %d of which end as RFC 4180 has it", n, m)
	}
	all, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestCurves(t *testing.T) {
	for _, spec := range []string{"gaussian", "blr:synthetic"} {
		s := played(t, spec, 300)
		all := rows(t, func(w io.Writer) error { return Curves(w, s) })
		if want := 1 + len(s.Lanes[0].History) + len(s.Lanes[1].History); len(all) != want {
			t.Fatalf("%s: %d rows, want %d", spec, len(all), want)
		}
		head, at := all[0], map[string]int{}
		for i, name := range head {
			at[name] = i
		}
		number := func(row []string, name string) float64 {
			text := row[at[name]]
			if text == "" {
				return math.NaN()
			}
			v, err := strconv.ParseFloat(text, 64)
			if err != nil {
				t.Error(err)
			}
			return v
		}
		k := 1
		for i, l := range s.Lanes {
			for _, p := range l.History {
				row := all[k]
				k++
				if row[at["lane"]] != string(rune('A'+i)) || row[at["sampler"]] != l.Setting.Sampler {
					t.Fatalf("row %d is of %s %s", k, row[at["lane"]], row[at["sampler"]])
				}
				gradients := float64(p.Step)
				if s.Problem.HasData() {
					gradients = p.Epoch * float64(s.Problem.N())
				}
				want := map[string]float64{
					"step":      float64(p.Step),
					"epoch":     p.Epoch,
					"gradients": gradients,
					"seconds":   p.Seconds,
					"draws":     float64(p.Draws),
					"eps":       p.Eps, "x": p.X, "y": p.Y,
				}
				for id, q := range quantity.All {
					if q.Charted {
						want[q.Key] = p.Of(quantity.ID(id))
					}
				}
				if len(row) != len(want)+2 {
					t.Fatalf("%d columns, want %d", len(row), len(want)+2)
				}
				for name, want := range want {
					if got := number(row, name); got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
						t.Errorf("%s row %d: %s is %v, want %v", spec, k, name, got, want)
					}
				}
			}
		}
	}
}

func TestTrace(t *testing.T) {
	s := played(t, "gaussian", 5000)
	all := rows(t, func(w io.Writer) error { return Trace(w, s) })
	if !slices.Equal(all[0], []string{"lane", "sampler", "draw", "theta[1]", "theta[2]"}) {
		t.Errorf("the header is %q", all[0])
	}
	l := s.Lanes[0]
	n := len(l.TrailX)
	if len(all) != 1+n+len(s.Lanes[1].TrailX) {
		t.Fatalf("%d rows", len(all))
	}
	for i := range n {
		row := all[1+i]
		x, _ := strconv.ParseFloat(row[3], 64)
		y, _ := strconv.ParseFloat(row[4], 64)
		want := strconv.FormatUint(l.Kept-uint64(n-1-i), 10)
		if row[2] != want || x != l.TrailX[i] || y != l.TrailY[i] {
			t.Fatalf("row %d is %q, want draw %s at (%v, %v)", i, row, want, l.TrailX[i], l.TrailY[i])
		}
	}
	other := *s
	other.Lanes = slices.Clone(s.Lanes)
	other.Lanes[1].Names = [2]string{"a", "b"}
	if head := rows(t, func(w io.Writer) error { return Trace(w, &other) })[0]; head[3] != "x" || head[4] != "y" {
		t.Errorf("lanes that show different coordinates have the header %q", head)
	}
}

// Snapshots may hold anything.
func TestTablesOfOddSnapshots(t *testing.T) {
	if got := rows(t, func(w io.Writer) error { return errors.Join(Curves(w, &engine.Snapshot{})) }); len(got) != 1 {
		t.Errorf("no lane has %d rows", len(got))
	}
	odd := &engine.Snapshot{Lanes: []engine.LaneView{{
		Names:   [2]string{"a,\"b\"", "c\nd"},
		TrailX:  []float64{math.NaN(), math.Inf(1), 1},
		TrailY:  []float64{math.Inf(-1), 2},
		History: []engine.Point{{Epoch: math.NaN(), X: math.Inf(-1)}},
	}}}
	want := [][]string{{"lane", "sampler", "draw", "a,\"b\"", "c\nd"}, {"A", "", "1", "", "-Inf"},
		{"A", "", "1", "Inf", "2"}}
	var b bytes.Buffer
	if err := Trace(&b, odd); err != nil {
		t.Fatal(err)
	}
	if got, err := csv.NewReader(&b).ReadAll(); err != nil || !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("got %q (%v), want %q", got, err, want)
	}
	if err := Curves(broken{}, odd); !errors.Is(err, errFull) {
		t.Errorf("a full disk is %v", err)
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errFull }

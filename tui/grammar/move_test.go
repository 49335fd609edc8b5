package grammar

import (
	"reflect"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
)

// pair is the snapshot of a session of pSGLD and SGLD, whose lanes are B and C.
func pair(t testing.TB, spec string) *engine.Snapshot {
	t.Helper()
	p, err := targets.Open(spec, targets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := &engine.Snapshot{Problem: p, Config: state.Config{Seed: 7}}
	for i, name := range []string{"psgld", "sgld"} {
		s.Config.Lanes = append(s.Config.Lanes, state.DefaultSetting(p, name))
		s.Lanes = append(s.Lanes, engine.LaneView{ID: i + 1, Window: engine.Window{Setting: s.Config.Lanes[i]}})
	}
	return s
}

func TestMoves(t *testing.T) {
	s := pair(t, "gaussian")
	for _, c := range []struct {
		text string
		want []state.Command
	}{
		{"eps=0.3", []state.Command{state.SetParam{Lane: state.AllLanes, Key: "eps", Value: 0.3}}},
		{"C eps 0.3", []state.Command{state.SetParam{Lane: 1, Key: "eps", Value: 0.3}}},
		{"lambda=1", []state.Command{state.SetParam{Lane: state.AllLanes, Key: "lambda", Value: 1}}},
		{"B gamma=on", []state.Command{state.SetParam{Lane: 0, Key: "gamma", Value: 1}}},
		{"target.a=2", []state.Command{state.SetParam{Lane: state.AllLanes, Key: "target.a", Value: 2}}},
		{"lr=0.1", []state.Command{state.SetParam{Lane: state.AllLanes, Key: "eps", Value: 0.2}}},
		{"schedule=poly:0.5,1,0.5", []state.Command{
			state.SetParam{Lane: state.AllLanes, Key: "eps", Value: 0.5},
			state.SetSchedule{Lane: state.AllLanes, Schedule: sampler.Schedule{Kind: "poly", B: 1, Gamma: 0.5}},
		}},
		{"run 2e5", []state.Command{state.StepBy{N: 200_000}}},
		{"C back 200 0.5", []state.Command{state.Rewind{Lane: 1, Steps: 200, EpsFactor: 0.5}}},
		{"back 10", []state.Command{state.Rewind{Lane: state.AllLanes, Steps: 10, EpsFactor: 1}}},
		{"b sampler sgd", []state.Command{state.SetSampler{Lane: 0, Name: "sgd"}}},
		{"C add sgld", []state.Command{state.AddLane{Name: "sgld", Like: 1}}},
		{"C remove", []state.Command{state.RemoveLane{Lane: 1}}},
		{"speed full", []state.Command{state.SetSpeed{}}},
		{"seed 3", []state.Command{state.Restart{Seed: 3}}},
		{"restart", []state.Command{state.Restart{Seed: 7}}},
		{"chains=4", []state.Command{state.Restart{Seed: 7, Chains: 4}}},
		{"until ess=400,rhat=1.05",
			[]state.Command{state.SetUntil{Until: quantity.Until{quantity.ESS: 400, quantity.RHat: 1.05}}}},
		{"until off", []state.Command{state.SetUntil{}}},
		{"point clear", []state.Command{state.ClearPoints{}}},
		{"undo; redo", []state.Command{state.Undo{}, state.Redo{}}},
	} {
		moves, err := Moves(c.text)
		if err != nil {
			t.Fatalf("%s: %v", c.text, err)
		}
		var got []state.Command
		for _, m := range moves {
			commands, err := m.Commands(s.State())
			if err != nil {
				t.Errorf("%s: %v", c.text, err)
			}
			got = append(got, commands...)
			if again, err := parseMove(m.String()); err != nil || again != m {
				t.Errorf("%s is written as %s, which is %v (%v)", c.text, m, again, err)
			}
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s sends %+v, want %+v", c.text, got, c.want)
		}
	}
}

func TestMoveErrors(t *testing.T) {
	s := pair(t, "gaussian")
	for text, want := range map[string]string{
		"epz=1": "epz 1: is no parameter's key and none of " + strings.Join(verbs, ", ") +
			` (did you mean "eps"?)`,
		"run":                 "run: must be a whole number, 1 or more, got ",
		"run 0":               "run 0: must be a whole number, 1 or more, got 0",
		"sampler sgdl":        `sampler sgdl: unknown sampler "sgdl"`,
		"remove":              "remove: needs a lane, as in B remove",
		"remove b":            "remove b: stands behind its lane: B remove",
		"undo 2":              `undo 2: takes no value, got "2"`,
		"speed -1":            "speed -1: must be positive or full, got -1",
		"back 1 -1":           "back 1 -1: must be positive, got -1",
		"eps=-1":              "must be positive, got -1",
		"A eps=1":             "there is no lane A",
		"schedule=halve:20ep": "in epochs needs a target with data",
		"schedule=x":          `must be`,
		"C lambda=1":          "is no parameter of ",
		"B target.a=2":        "B target.a=2: is of all lanes, and takes no lane's letter",
		"target.a=x":          `target.a=x: must be a number, got "x"`,
		"target.a=-1":         "must be in [1e-12, 1e+12], got -1",
		"target.aa=2":         `is no parameter of gaussian (did you mean "target.a"?)`,
		"chains=65":           "chains=65: must be a whole number from 1 to 64, got 65",
		"until":               "until: must be such as mcse=0.01 or ess=400 or rhat=1.01, or several with commas, got ",
		"until rhat=1":        "until rhat=1: rhat must be in (1, 2], got 1",
		"chains=":             "must be a whole number from 1 to 64, got ",
	} {
		m, err := parseMove(text)
		if err == nil {
			_, err = m.Commands(s.State())
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// A move reads back as it is written, and nothing that is typed crashes.
func FuzzMoves(f *testing.F) {
	f.Add("eps=0.3; B sampler sgld; run 1000")
	f.Add("point x=1 y=2 class=1; point clear; B point x=0")
	s := pair(f, "gaussian")
	f.Fuzz(func(t *testing.T, text string) {
		moves, err := Moves(text)
		if err != nil {
			return
		}
		for _, m := range moves {
			if again, err := parseMove(m.String()); err != nil || again != m {
				t.Fatalf("%q: %+v is written as %q, which is %+v (%v)", text, m, m, again, err)
			}
			m.Commands(s.State())
		}
	})
}

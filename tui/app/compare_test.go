package app

import (
	"context"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/view"
)

// refusal is what a command with an argument is refused with.
func (m *model) refusal(text string) string {
	name, argument, _ := strings.Cut(text, " ")
	if _, err := control.ByName(control.All(m.Keys.Bindings), name).With(argument); err != nil {
		return name + " " + err.Error()
	}
	return ""
}

// A truth is looked for beside the session, which is sent it; esc ends that.
func TestTruthBesideASession(t *testing.T) {
	m := sampledFor(t, "density:-t1^2-t2^2-t3^2", 2000, 80, 24)
	sent := func() state.Command {
		all := m.Feed.Session.(*recorder).sent
		return all[len(all)-1]
	}
	for text, want := range map[string]string{
		"truth hmc": "truth cannot be found here", "compare f": "compare cannot replay anything here",
		"truth sgld": "must be one of hmc", "truth hmc draws=3": "400", "compare a b c d e": "one to 4 files",
	} {
		if text != "truth hmc" && text != "compare f" {
			m.Outside.Truth = func(context.Context, state.Config, *targets.Problem, *control.Loading) (*targets.Reference,
				[]string, error) {
				return nil, nil, nil
			}
			m.Outside.Replay = func(context.Context, string, *targets.Problem, *control.Loading) (*engine.Snapshot, error) {
				return nil, nil
			}
		} else {
			m.Outside.Truth, m.Outside.Replay = nil, nil
		}
		if got := m.refusal(text); !strings.Contains(got, want) {
			t.Errorf("%s is refused with %q, want %q", text, got, want)
		}
	}
	ref := &targets.Reference{MinESS: 4000, RHat: 1}
	var under context.Context
	m.Outside.Truth = func(ctx context.Context, c state.Config, p *targets.Problem, at *control.Loading) (
		*targets.Reference, []string, error) {
		under = ctx
		at.Tell(func() (float64, string) { return 0.5, "draw 2,000 of 4,000" })
		return ref, []string{"the truth is rough"}, nil
	}
	arrives := fetched(t, m.command(t, "truth hmc:draws=4000"))
	m.Screen.Dirty = true
	m.Notices.Clear()
	if got := m.text(); !strings.Contains(got, "finding the truth by hmc") ||
		!strings.Contains(got, "draw 2,000 of 4,000") {
		t.Errorf("under way the screen is\n%s", got)
	}
	m.Update(press("esc"))
	if under.Err() == nil || m.Loading != nil {
		t.Error("esc does not end the search")
	}
	if m.Update(arrives); len(m.Feed.Session.(*recorder).sent) > 0 {
		if _, isTruth := sent().(state.SetTruth); isTruth {
			t.Error("what was given up is taken")
		}
	}
	m.Update(fetched(t, m.command(t, "truth hmc draws=4000")))
	if c, ok := sent().(state.SetTruth); !ok || c.Found != ref || c.Truth.Draws != 4000 {
		t.Errorf("sent is %+v", sent())
	}
	m.command(t, "bias on")
	if c, ok := sent().(state.SetBias); !ok || !c.On || !m.Feed.Foreseen.Config.Bias {
		t.Errorf("sent is %+v", sent())
	}
}

// Saved sessions are pale behind the curves of this one, on the same target alone.
func TestSessionsBehind(t *testing.T) {
	m := sampledFor(t, "gaussian", 60_000, 120, 36)
	other := sampledFor(t, "gaussian", 30_000, 80, 24).Feed.Newest
	m.Outside.Replay = func(_ context.Context, path string, _ *targets.Problem,
		at *control.Loading) (*engine.Snapshot, error) {
		if path == "banana.json" {
			return sampledFor(t, "banana", 1000, 80, 24).Feed.Newest, nil
		}
		return other, nil
	}
	var said tea.Msg = fetched(t, m.command(t, "compare one.json banana.json"))
	if m.Update(said); m.Behind != nil ||
		!strings.Contains(m.Notices.Own.Text, "banana.json is of another target, banana") {
		t.Errorf("%q, with %d behind", m.Notices.Own.Text, len(m.Behind))
	}
	m.Show(view.Diagnostics)
	m.Screen.Dirty = true
	if got := m.text(); strings.Contains(got, " 1A") {
		t.Errorf("nothing is behind, and the screen is\n%s", got)
	}
	m.Update(fetched(t, m.command(t, "compare one.json")))
	m.Notices.Clear()
	m.Screen.Dirty = true
	if got := m.text(); !strings.Contains(got, "─ 1A") || !strings.Contains(got, "1B") {
		t.Errorf("with one behind the screen is\n%s", got)
	}
	m.command(t, "compare off")
	m.Screen.Dirty = true
	if got := m.text(); strings.Contains(got, " 1A") {
		t.Errorf("after off the screen is\n%s", got)
	}
}

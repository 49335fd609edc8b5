package app

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/dialog"
	"github.com/psgld/psgld-tui/tui/view"
	"github.com/psgld/psgld-tui/tui/view/predictions"
)

// rest is a screen on a session that does not run, and what it is sent.
func rest(t *testing.T, spec string) (*model, *recorder) {
	r := &recorder{snap: newSession(t, spec).Snapshot()}
	return newScreenOn(t, r, 120, 36), r
}

// Every key does something where it is listed: it sends a command, opens something,
// moves the focus, edits text or returns a command.
func TestEveryKeyIsHandled(t *testing.T) {
	innerlooptest.Numbers(t, "each key in each state")
	all, _ := rest(t, "gaussian")
	for _, b := range all.Keys.Bindings {
		for _, key := range strings.Fields(b.Keys) {
			m, r := rest(t, "blr:synthetic")
			switch held := b.When != nil; {
			case b.Group == control.Lists:
				m.Update(press(":"))
				m.Update(press("down"))
				if b.Name == "list: page up" {
					m.Update(press("down"))
				}
			case b.Group == control.Typing:
				m.Update(press("enter"))
				typeKeys(m, "0.5 1")
				m.Update(press("left"))
			case b.Always:
				m.Update(press("t"))
			case held && b.Group == control.Panes:
				m, r = rest(t, "gaussian")
				m.View()
				m.Update(press("v"))
			case held && (b.Group == control.Teaching || b.Group == ""):
				m, r = asking(t, 120, 36)
			case held && b.Group == control.Views:
				m, r = atImages(t)
				m.Update(press("right"))
			case held && b.Group == control.Grid:
				m, r = rest(t, "gaussian")
				m.Update(press(gridKey))
				m.settle(t)
				if b.Name == "sweep: pause" {
					m.grid().Size.Seeds = 2
					m.followed(nil)
				}
			default:
				m.Say(false, "a notice")
				m.Focus.View = 1
				if b.Name == "view: diagnostics" {
					m.Focus.View = 0
				}
			}
			before := stateOf(m, r)
			_, cmd := m.Update(press(key))
			if cmd == nil && reflect.DeepEqual(before, stateOf(m, r)) {
				t.Errorf("%q does nothing: %s", key, b.Name)
			}
		}
	}
}

func stateOf(m *model, r *recorder) []any {
	in := ""
	switch md := m.Keys.Layer.(type) {
	case *dialog.Input:
		in = md.Show("|")
	case *dialog.Chooser:
		in = fmt.Sprint(md.Filter.Show("|"), md.At)
	}
	return []any{m.Focus, m.Keys.Layer != nil, in, len(r.sent), m.Notices.Showing, m.player().Scene.Card,
		m.player().Scene.Run.At, *m.grid().Shown, m.grid().Size}
}

// The session is told which view is looked at where that is work for it, and
// keeps what is watched.
func TestViewsAskForWhatTheyShow(t *testing.T) {
	m, r := rest(t, "mlp:4")
	for _, c := range []struct {
		keys string
		want []state.Command
	}{
		{"1", nil},
		{"3", nil},
		{"4", []state.Command{state.Watch{X: 985, Y: 986, Weights: true}}},
		{"4", nil},
		{"c", []state.Command{state.Watch{X: 987, Y: 986, Weights: true}}},
		{"5", []state.Command{state.Watch{X: 987, Y: 986, Predictions: true}}},
		{"1", []state.Command{state.Watch{X: 987, Y: 986}}},
		{"2", []state.Command{state.Watch{X: 987, Y: 986, Discrepancy: true, Rows: true}}},
	} {
		r.sent = nil
		m.Update(press(c.keys))
		if !reflect.DeepEqual(r.sent, c.want) {
			t.Errorf("%s sent %#v, want %#v", c.keys, r.sent, c.want)
		}
	}
}

// The keys that browse turn page by page and around the end.
func TestBrowsing(t *testing.T) {
	s := *digitsAtRest()
	s.Predictions = nil
	m := newScreenOn(t, &recorder{snap: &s}, 120, 36)
	m.Update(press("5"))
	if m.Update(press("pgdown")); m.Focus.Image != 0 || !strings.Contains(m.text(), "shows predictions of test images") {
		t.Error("without predictions there is nothing to browse, and it says so")
	}
	s = *digitsAtRest()
	s.Predictions = make([]predict.Prediction, 50)
	m.Feed.Newest, m.Feed.Foreseen = &s, &s
	m.draw()
	f := m.Frame()
	page := predictions.PageSize(m.Screen.ViewRect.W, m.Screen.ViewRect.H, &f)
	last := (len(s.Predictions) - 1) / page * page
	for _, c := range []struct {
		key  string
		want int
	}{{"pgup", last}, {"pgdown", 0}, {"pgdown", page}, {"pgup", 0}} {
		if m.Update(press(c.key)); m.Focus.Image != c.want {
			t.Errorf("%s shows prediction %d first, want %d", c.key, m.Focus.Image, c.want)
		}
	}
}

// The keys that page turn no parameter where there is nothing to page.
func TestPagingKeysTurnNothing(t *testing.T) {
	for _, view := range []string{"1", "2", gridKey} {
		m, r := rest(t, "gaussian")
		m.Update(press(view))
		sent := len(r.sent)
		m.Update(press("pgup"))
		m.Update(press("pgdown"))
		if len(r.sent) > sent {
			t.Errorf("view %s: sent %v", view, r.sent[sent:])
		}
	}
}

// The layers for which a page has no room are on the next one, and the first is behind the last.
func TestLayersArePaged(t *testing.T) {
	m, r := rest(t, "mlp:4-4")
	m.Update(press("4"))
	s := *r.snap
	s.Lanes = slices.Clone(s.Lanes)
	for i := range s.Lanes {
		for _, l := range s.Problem.Impl().(targets.Layered).Layers() {
			s.Lanes[i].Weights = append(s.Lanes[i].Weights, engine.LayerView{Name: l.Name})
		}
	}
	m.Feed.Newest, m.Feed.Foreseen = &s, &s
	m.Screen.Dirty = true
	for _, c := range []struct{ key, shown, first string }{
		{"", "1–4 of 6", "dense1"}, {"pgdown", "5–6 of 6", "dense2 bias"}, {"pgdown", "1–4 of 6", "dense1"},
		{"pgup", "5–6 of 6", "dense2 bias"},
	} {
		if c.key != "" {
			m.Update(press(c.key))
		}
		if got := m.text(); !strings.Contains(got, c.shown) || !strings.Contains(got, "╭ "+c.first+", ") {
			t.Errorf("%s: want the layers %s from %s in\n%s", c.key, c.shown, c.first, got)
		}
	}
	m.resize(120, 80)
	m.text()
	m.Update(press("pgdown"))
	m.says(t, "no other page")
	m, _ = rest(t, "blr:synthetic")
	m.Update(press("4"))
	if m.says(t, "16 parameters or more"); m.Focus.View == view.Weights {
		t.Error("the view of weights is offered for nine coefficients")
	}
}

// The coefficients for which a forest has no room are on the next page, whose first two are watched.
func TestCoefficientsArePaged(t *testing.T) {
	m, r := rest(t, "blr:synthetic")
	s := *r.snap
	s.Lanes = slices.Clone(s.Lanes)
	for i := range s.Lanes {
		for k := range s.Problem.Dim() {
			s.Lanes[i].Rows = append(s.Lanes[i].Rows, engine.CoordRow{At: k, Name: s.Problem.Name(k)})
		}
	}
	m.Feed.Newest, m.Feed.Foreseen = &s, &s
	m.resize(80, 25)
	m.Update(press("2"))
	for _, c := range []struct {
		key, shown string
		want       [2]int
	}{{"pgdown", "1 to 5 of 9", [2]int{5, 6}}, {"pgdown", "5 to 9 of 9", [2]int{0, 1}},
		{"pgup", "1 to 5 of 9", [2]int{5, 6}}} {
		if got := m.text(); !strings.Contains(got, "pgdown more, "+c.shown) {
			t.Errorf("before %s: want the coefficients %s in\n%s", c.key, c.shown, got)
		}
		m.Update(press(c.key))
		if got, ok := r.sent[len(r.sent)-1].(state.Watch); !ok || got.X != c.want[0] || got.Y != c.want[1] ||
			!got.Rows {
			t.Errorf("%s sent %+v, want the coordinates %v", c.key, r.sent[len(r.sent)-1], c.want)
		}
		for i := range s.Lanes {
			s.Lanes[i].Watch = c.want
		}
		m.Screen.Dirty = true
	}
	m.resize(120, 60)
	m.text()
	m.Update(press("pgdown"))
	m.says(t, "there is no other page: f, then o shows the view's panes one by one")
}

func TestKeysSendCommands(t *testing.T) {
	for _, c := range []struct {
		keys string
		want state.Command
	}{
		{"space", state.Pause{}},
		{".", state.StepBy{N: 1}},
		{"<", state.SetSpeed{PerSecond: 1000}},
		{"right", state.SetParam{Lane: state.AllLanes, Key: "eps", Value: 0.378}},
		{"l right", state.SetParam{Lane: 0, Key: "eps", Value: 0.378}},
		{"l tab right", state.SetParam{Lane: 1, Key: "eps", Value: 0.378}},
		{"l tab tab right", state.SetParam{Lane: 0, Key: "eps", Value: 0.378}},
		{"l shift+tab right", state.SetParam{Lane: 1, Key: "eps", Value: 0.378}},
		{"down down left", state.SetParam{Lane: state.AllLanes, Key: "lambda", Value: 7.94e-6}},
		{"enter 0 . 2 enter", state.SetParam{Lane: state.AllLanes, Key: "eps", Value: 0.2}},
		{": s e e d space n e x t enter", state.Restart{Seed: 2}},
		{": b a c k enter", state.Rewind{Lane: state.AllLanes, Steps: 200, EpsFactor: 1}},
		{"z", state.Undo{}},
		{"Z", state.Redo{}},
		{": r a c e enter", state.SetRace{On: true}},
		{"x", state.RemoveLane{Lane: 0}},
		{"tab x", state.RemoveLane{Lane: 1}},
		{"a enter", state.AddLane{Name: "psgld"}},
		{"a down enter", state.AddLane{Name: "sgld"}},
		{"s s g l d enter", state.SetSampler{Lane: 0, Name: "sgld"}},
		{": e p s space 0 . 3 3 enter", state.SetParam{Lane: state.AllLanes, Key: "eps", Value: 0.33}},
		{": e p s = 0 . 3 3 enter", state.SetParam{Lane: state.AllLanes, Key: "eps", Value: 0.33}},
		{": l r space 0 . 2 enter", state.SetParam{Lane: state.AllLanes, Key: "eps", Value: 0.4}},
		{": g a m m a space o n enter", state.SetParam{Lane: state.AllLanes, Key: "gamma", Value: 1}},
		{": u n d o enter", state.Undo{}},
		{": s e e d space 7 enter", state.Restart{Seed: 7}},
		{": c h a i n s space 4 enter", state.Restart{Seed: 1, Chains: 4}},
		{"up enter up right", state.Restart{Seed: 1, Chains: 2}},
		{"up enter up right right right", state.Restart{Seed: 1, Chains: 4}},
		{"l up enter up right right right left", state.Restart{Seed: 1, Chains: 3}},
		{"up enter up enter 8 enter", state.Restart{Seed: 1, Chains: 8}},
		{": s p e e d space 2 5 enter", state.SetSpeed{PerSecond: 25}},
		{": r u n space 5 0 enter", state.StepBy{N: 50}},
		{": b a c k space 5 space 2 enter", state.Rewind{Lane: state.AllLanes, Steps: 5, EpsFactor: 2}},
		{": s c h e d u l e space h a l v e : 9 enter",
			state.SetSchedule{Lane: state.AllLanes, Schedule: sampler.Schedule{Kind: "halve", Every: 9}}},
		{": a d d space s g l d enter", state.AddLane{Name: "sgld"}},
	} {
		m, r := rest(t, "gaussian")
		set(m, "eps", 0.3)
		m.Feed.Foreseen.CanUndo = true
		for _, k := range strings.Fields(c.keys) {
			m.Update(press(k))
		}
		if n := len(r.sent); n == 0 || r.sent[n-1] != c.want {
			t.Errorf("%s sent %#v, want %#v", c.keys, r.sent, c.want)
		}
		if m.Keys.Layer != nil {
			t.Errorf("%s leaves a mode open", c.keys)
		}
	}
}

// set gives every lane of the snapshot a value.
func set(m *model, key string, x float64) {
	s := *m.Feed.Newest
	for i := range s.Lanes {
		s.Lanes[i].Setting = s.Lanes[i].Setting.With(key, x)
	}
	m.Feed.Newest, m.Feed.Foreseen = &s, &s
}

// Keys that come faster than snapshots add up, and an even number of pauses
// leaves the session running.
func TestRepeatsAccumulate(t *testing.T) {
	m, r := rest(t, "gaussian")
	set(m, "eps", 0.1)
	for range 10 {
		m.Update(press("right"))
	}
	last := r.sent[len(r.sent)-1].(state.SetParam)
	if len(r.sent) != 10 || math.Abs(last.Value-1) > 1e-12 {
		t.Errorf("ten notches from 0.1 sent %d commands, the last %v; want 10, the last 1", len(r.sent), last)
	}
	if got := m.Lane().Setting.Value("eps"); got != last.Value {
		t.Errorf("ε shows %v, want %v", got, last.Value)
	}
	m.Update(press("space"))
	m.Update(press("space"))
	if got := r.sent[len(r.sent)-1]; got != (state.Resume{}) {
		t.Errorf("the second space sent %#v, want Resume", got)
	}
	s := *r.snap
	s.Version++
	s.Applied = uint64(len(r.sent))
	r.snap = &s
	m.Feed.Pull()
	if m.Feed.Foreseen != m.Feed.Newest {
		t.Error("effects are still expected of commands that were applied")
	}
}

// A wrong value is refused where it is typed, and esc leaves it.
func TestTypedValueIsChecked(t *testing.T) {
	m, r := rest(t, "gaussian")
	m.Update(press("enter"))
	typeKeys(m, "-1")
	m.Update(press("enter"))
	if n := m.Notices.Text(m.Feed.Foreseen); !n.Bad || n.Text != "ε must be positive, got -1" {
		t.Errorf("notice = %+v", n)
	}
	if m.Keys.Layer == nil || len(r.sent) != 0 {
		t.Fatal("a wrong value was taken")
	}
	m.Update(press("esc"))
	if m.Keys.Layer != nil || m.Notices.Text(m.Feed.Foreseen).Text != "" {
		t.Error("esc leaves the value or its notice")
	}
}

func TestParameterOfTheStartSaysSo(t *testing.T) {
	m, r := rest(t, "gaussian")
	m.Focus.Param = "v0"
	m.Update(press("right"))
	if n := m.Notices.Text(m.Feed.Foreseen); len(r.sent) != 1 ||
		n.Text != "V₀ first takes effect at restart (:restart)" {
		t.Errorf("sent %v, notice %q", r.sent, n.Text)
	}
	s := *r.snap
	s.Version, s.Applied, s.Notice = s.Version+1, 1, engine.Notice{Serial: 1, Fact: state.Restarted{Seed: 1}}
	r.snap = &s
	m.Update(control.ChangedMsg{})
	if n := m.Notices.Text(m.Feed.Foreseen); !strings.Contains(n.Text, "restart") {
		t.Errorf("the session's notice %q took the place of the screen's", n.Text)
	}
}

func TestRescueTakesTheDivergedLane(t *testing.T) {
	m, r := rest(t, "gaussian")
	m.Update(press("r"))
	if len(r.sent) != 0 {
		t.Error("r rewinds lanes that have not diverged")
	}
	s := *m.Feed.Newest
	s.Lanes[1].Diverged = &state.Divergence{Step: 9}
	m.Feed.Newest, m.Feed.Foreseen = &s, &s
	m.Update(press("r"))
	want := (state.Rewind{Lane: state.AllLanes, Steps: 200, EpsFactor: 0.5, Mends: true})
	if len(r.sent) != 1 || r.sent[0] != want {
		t.Errorf("r sent %v, want %v", r.sent, want)
	}
	if h := m.hints(118)[0].Text(false); !strings.HasPrefix(h, "r back 200 steps with half the ε") {
		t.Errorf("hint = %q", h)
	}
}

func TestTargetOpensBesideTheScreen(t *testing.T) {
	m, r := rest(t, "gaussian")
	m.Update(press("t"))
	typeKeys(m, "banana")
	_, cmd := m.Update(press("enter"))
	msg := find[control.OpenedMsg](t, cmd)
	if len(r.sent) != 0 {
		t.Fatalf("sent %v", r.sent)
	}
	m.Update(msg)
	if got := r.sent[0].(state.SetTarget); got.Target != "banana" || got.Problem == nil {
		t.Errorf("sent %+v", got)
	}

	m.Update(press("t"))
	typeKeys(m, "blr:/no/such/file")
	_, cmd = m.Update(press("enter"))
	m.Update(find[control.OpenedMsg](t, cmd))
	if n := m.Notices.Text(m.Feed.Foreseen); !n.Bad || !strings.Contains(n.Text, "/no/such/file") {
		t.Errorf("notice = %+v", n)
	}
	m.Update(press("t"))
	typeKeys(m, "blr:/no/such/file")
	if c := m.Keys.Layer.(*dialog.Chooser); c.Shown()[0].Why == "" {
		t.Error("a target that could not be opened is not grey")
	}
}

// A formula with a fault that is typed as a target leaves the list open, with the text and what
// is wrong.
func TestBadFormulaStaysInTheList(t *testing.T) {
	m, r := rest(t, "gaussian")
	m.Update(press("t"))
	typeKeys(m, "density:-x^2*q")
	m.Update(press("enter"))
	c, ok := m.Keys.Layer.(*dialog.Chooser)
	if !ok || c.Filter.String() != "density:-x^2*q" || len(r.sent) != 0 {
		t.Fatalf("the list is %+v, sent %v", m.Keys.Layer, r.sent)
	}
	if n := m.Notices.Text(m.Feed.Foreseen); !n.Bad || !strings.Contains(n.Text, `column 6: "q"`) {
		t.Errorf("notice = %+v", n)
	}
}

// find runs the commands of a batch that answer at once, until one answers with
// a message of a type.
func find[M any](t *testing.T, cmd tea.Cmd) M {
	t.Helper()
	var zero M
	if cmd == nil {
		t.Fatalf("no command answers with %T", zero)
	}
	all := []tea.Cmd{cmd}
	found := make(chan M, 16)
	for len(all) > 0 {
		c := all[0]
		all = all[1:]
		switch msg := answer(c).(type) {
		case tea.BatchMsg:
			all = append(all, msg...)
		case M:
			found <- msg
		}
	}
	select {
	case msg := <-found:
		return msg
	default:
		t.Fatalf("no command answers with %T", zero)
		return zero
	}
}

func TestWatchGoesRound(t *testing.T) {
	m, r := rest(t, "blr:synthetic")
	dim := m.Feed.Newest.Problem.Dim()
	m.Update(press("c"))
	if got := r.sent[0]; got != (state.Watch{X: 2, Y: 1}) {
		t.Fatalf("c sent %v", got)
	}
	for range dim - 2 {
		m.Update(press("c"))
	}
	if got := r.sent[len(r.sent)-1]; got != (state.Watch{X: 0, Y: 1}) {
		t.Errorf("after the last coordinate comes %v", got)
	}
	m.command(t, "show principal")
	if got := r.sent[len(r.sent)-1]; got != (state.Watch{X: 0, Y: 1, Principal: true}) {
		t.Errorf("p sent %v", got)
	}
	m.Focus.View = view.Learning
	typed(m, "c")
	m.says(t, "watched: x2 and x1; views 1 and 2 show them")
	for _, names := range []string{"x3 Intercept", "4 1"} {
		m.command(t, "show "+names)
		m.says(t, "watched: x3 and intercept")
		if got := r.sent[len(r.sent)-1]; got != (state.Watch{X: 3, Y: 0}) {
			t.Errorf("show %s sent %v", names, got)
		}
	}
	for _, l := range control.ShortLines(m.Keys.Bindings, "Learning") {
		if l.Keys == "c C" {
			t.Errorf("a view without coordinates offers %q", l.Help)
		}
	}
}

func TestSpeedLadder(t *testing.T) {
	m, r := rest(t, "gaussian")
	for range 6 {
		m.Update(press("<"))
	}
	for range 6 {
		m.Update(press(">"))
	}
	m.command(t, "speed 25")
	m.Update(press(">"))
	m.command(t, "speed 25")
	m.Update(press("<"))
	var got []float64
	for _, c := range r.sent {
		got = append(got, c.(state.SetSpeed).PerSecond)
	}
	want := []float64{1000, 100, 10, 1, 1, 1, 10, 100, 1000, 0, 0, 0, 25, 100, 25, 10}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("speeds %v, want %v", got, want)
	}
}

func TestCopyAndWrite(t *testing.T) {
	r := &recorder{snap: newSession(t, "gaussian").Snapshot()}
	wrote := ""
	m := newModel(t.Context(), r, Options{
		Dark: dark(), Outside: control.Outside{
			CommandLine: func(s *engine.Snapshot) (string, error) {
				return "psgld-tui --target " + s.Problem.Spec, nil
			},
			Write: func(dir string) (control.Written, error) {
				wrote = dir
				return control.Written{Where: "/tmp/session.json", Draws: 500, Of: 500}, nil
			},
		},
	})
	m.Update(press("y"))
	if n := m.Notices.Text(m.Feed.Foreseen); n.Text != "copied: psgld-tui --target gaussian" {
		t.Errorf("notice = %q", n.Text)
	}
	m.Update(press(":"))
	typeKeys(m, "save session /tmp/out")
	_, cmd := m.Update(press("enter"))
	carry(m, cmd)
	if n := m.Notices.Text(m.Feed.Foreseen); wrote != "/tmp/out" ||
		n.Text != "wrote /tmp/session.json: the session, and all 500 draws of each chain" {
		t.Errorf("wrote to %q, notice = %q", wrote, n.Text)
	}
}

// A key that does nothing here says where it does something, or where the keys are.
// What a terminal may send by itself says nothing.
func TestKeysThatDoNothingHere(t *testing.T) {
	m, r := rest(t, "gaussian")
	m.View()
	for key, want := range map[string]string{
		"e":    "in a lesson (g): fold or unfold its card",
		"home": "in the sweep (6): first cell, last cell", "Q": "? lists the keys", "ctrl+w": "? lists the keys",
		"7": "in a lesson (g): answer", "m": "the stage of classify has a map; t chooses one",
		"J": "the stage of classify has a map; t chooses one",
	} {
		m.Update(press(key))
		if m.says(t, want); !strings.HasSuffix(m.Notices.Own.Text, want) {
			t.Errorf("%s says %q", key, m.Notices.Own.Text)
		}
	}
	m.Notices.Clear()
	m.Update(tea.KeyPressMsg{Code: tea.KeyF5})
	if n := m.Notices.Text(m.Feed.Newest); n.Text != "" {
		t.Errorf("F5 says %q", n.Text)
	}
	m.Update(press("1"))
	m.says(t, "view 1: Stage")
	m.Update(tea.WindowSizeMsg{Width: 60, Height: 12})
	m.Update(press("2"))
	if text := m.text(); !strings.Contains(text, "╭ estimates") {
		t.Errorf("no pane of view 2 at 60×12:\n%s", text)
	}
	m.Update(tea.WindowSizeMsg{Width: 24, Height: 12})
	m.Update(press(gridKey))
	m.says(t, "view 6: Sweep, on a larger screen")
	m.Update(press("3"))
	m.says(t, "Learning takes a target that predicts classes, such as blr or mlp; t chooses one")
	for _, c := range r.sent {
		if _, ok := c.(state.Watch); !ok { // what view 2 asks for
			t.Errorf("sent %v", r.sent)
		}
	}
}

package app

import (
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/view"
	"github.com/psgld/psgld-tui/tui/view/predictions"
)

// digitsAtRest is a snapshot of a network with forty predictions, made once.
var digitsAtRest = sync.OnceValue(func() *engine.Snapshot {
	p, err := targets.Open("mlp:5", targets.Options{Dataset: "strokes"})
	if err != nil {
		panic(err)
	}
	cfg := state.Config{
		Target: "mlp:5", Dataset: "strokes", Seed: 1, Init: "random",
		Lanes: []state.Setting{state.DefaultSetting(p, "psgld"), state.DefaultSetting(p, "sgld")},
	}
	s, err := session.New(cfg, p, session.Runtime{Threads: 1, Interactive: true})
	if err != nil {
		panic(err)
	}
	snap := *s.Snapshot()
	for i := range 40 {
		q := predict.LanePrediction{Mean: make([]float64, 10), SD: make([]float64, 10)}
		q.Mean[i%10] = 1
		snap.Predictions = append(snap.Predictions,
			predict.Prediction{Row: i, Label: i % 10, Lanes: []predict.LanePrediction{q, q}})
	}
	return &snap
})

// atImages is the screen of it in view 5, where images are chosen by keys.
func atImages(t *testing.T) (*model, *recorder) {
	t.Helper()
	r := &recorder{snap: digitsAtRest()}
	m := newScreenOn(t, r, 120, 36)
	m.Update(press("i"))
	m.View()
	if !m.Focus.Browse || m.Focus.View != view.Predictions {
		t.Fatal("images are not browsed")
	}
	return m, r
}

func lastShift(t *testing.T, r *recorder) state.SetShift {
	t.Helper()
	if len(r.sent) == 0 {
		t.Fatal("nothing was sent")
	}
	c, ok := r.sent[len(r.sent)-1].(state.SetShift)
	if !ok {
		t.Fatalf("%#v was sent", r.sent[len(r.sent)-1])
	}
	return c
}

// Arrows choose and shift images while they are browsed, and turn parameters
// before and after.
func TestBrowsingImages(t *testing.T) {
	m, r := atImages(t)
	if w, ok := r.sent[0].(state.Watch); !ok || !w.Predictions {
		t.Errorf("%#v was sent first", r.sent[0])
	}
	for _, c := range []struct {
		key  string
		want state.SetShift
	}{
		{"right", state.SetShift{Shift: targets.Shift{Kind: targets.ShiftRotate, Amount: 15}}},
		{"right", state.SetShift{Shift: targets.Shift{Kind: targets.ShiftRotate, Amount: 30}}},
		{"left", state.SetShift{Shift: targets.Shift{Kind: targets.ShiftRotate, Amount: 15}}},
		{"down", state.SetShift{Shift: targets.Shift{Kind: targets.ShiftRotate, Amount: 15}, From: 1}},
		{"up", state.SetShift{Shift: targets.Shift{Kind: targets.ShiftRotate, Amount: 15}}},
		{"up", state.SetShift{Shift: targets.Shift{Kind: targets.ShiftRotate, Amount: 15}, From: 39}},
		{"tab", state.SetShift{Shift: targets.Shift{Kind: targets.ShiftNoise, Amount: 60}, From: 39}},
		{"shift+right", state.SetShift{Shift: targets.Shift{Kind: targets.ShiftNoise, Amount: 240}, From: 39}},
		{"shift+tab", state.SetShift{Shift: targets.Shift{Kind: targets.ShiftRotate, Amount: 45}, From: 39}},
		{"shift+left", state.SetShift{Shift: targets.Shift{Kind: targets.ShiftRotate}, From: 39}},
	} {
		m.Update(press(c.key))
		if got := lastShift(t, r); got != c.want {
			t.Fatalf("%s sends %+v, want %+v", c.key, got, c.want)
		}
	}
	if text := m.text(); !strings.Contains(text, "inputs rotate") || !strings.Contains(text, "▸ label 9") {
		t.Errorf("the screen:\n%s", text)
	}
	m.Update(press("esc"))
	m.Update(press("right"))
	if _, ok := r.sent[len(r.sent)-1].(state.SetEach); !ok { // each lane has an ε of its own
		t.Errorf("after esc the arrow sends %#v", r.sent[len(r.sent)-1])
	}
	m.Update(press("i"))
	m.Update(press("1"))
	n := len(r.sent)
	if m.Update(press("right")); len(r.sent) != n+1 {
		t.Errorf("images are browsed in view 1: %v", r.sent[n:])
	}
}

// The slider is dragged, images are clicked, and the wheel turns both.
func TestShiftByMouse(t *testing.T) {
	m, r := atImages(t)
	m.Update(press("right"))
	m.View()
	at := func(ok func(z plane.Zone) bool) plane.Rect {
		for _, z := range m.Screen.Plane.Zones() {
			if ok(z) {
				return z.Rect
			}
		}
		t.Fatal("not on the screen")
		return plane.Rect{}
	}
	slider := at(func(z plane.Zone) bool { return z.Drag.Name == predictions.DoSlide })
	x, y := slider.X+slider.W/2, slider.Y
	m.Update(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
	if c := lastShift(t, r); c.Shift.Amount != 90 {
		t.Errorf("a click in the middle shifts by %g", c.Shift.Amount)
	}
	m.Update(tea.MouseMotionMsg{X: x + 2, Y: y, Button: tea.MouseLeft})
	if c := lastShift(t, r); c.Shift.Amount != 108 {
		t.Errorf("a drag by two of twenty columns shifts by %g", c.Shift.Amount)
	}
	m.Update(tea.MouseReleaseMsg{X: x + 2, Y: y})
	n := len(r.sent)
	if m.Update(tea.MouseMotionMsg{X: x, Y: y}); len(r.sent) != n {
		t.Error("the slider moves without a button")
	}
	m.Update(tea.MouseWheelMsg{X: x, Y: y, Button: tea.MouseWheelUp})
	if c := lastShift(t, r); c.Shift.Amount != 120 {
		t.Errorf("the wheel shifts by %g", c.Shift.Amount)
	}
	second := at(func(z plane.Zone) bool { return z.Click.Name == predictions.DoChoose && z.Click.Args[0] == "1" })
	x, y = second.X+2, second.Y+2
	m.Update(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
	if m.Focus.Image != 1 || lastShift(t, r).From != 1 {
		t.Errorf("a click on the second image chooses %d", m.Focus.Image)
	}
	m.Update(tea.MouseWheelMsg{X: x, Y: y, Button: tea.MouseWheelDown})
	if m.Focus.Image != 2 {
		t.Errorf("the wheel goes on to image %d", m.Focus.Image)
	}
}

// The palette takes a shift by name, and says what there is.
func TestShiftByName(t *testing.T) {
	m, _ := atImages(t)
	for _, c := range []struct {
		arg  string
		want targets.Shift
		why  string
	}{
		{arg: "rotate 30", want: targets.Shift{Kind: targets.ShiftRotate, Amount: 30}},
		{arg: "none", want: targets.Shift{}},
		{arg: "Noise", want: targets.Shift{Kind: targets.ShiftNoise, Amount: 60}},
		{arg: "foreign", why: "must be one of none, rotate"},
		{arg: "rotate 400", why: "from 0 to 360"},
		{arg: "noise x", why: "needs a number"},
	} {
		act, err := control.ByName(m.Keys.Bindings, "shift").With(c.arg)
		if c.why != "" {
			if err == nil || !strings.Contains(err.Error(), c.why) {
				t.Errorf("%q: %v, want %q", c.arg, err, c.why)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", c.arg, err)
			continue
		}
		act()
		if got := m.Feed.Foreseen.Shift.Asked; got != c.want {
			t.Errorf("%q shifts by %+v", c.arg, got)
		}
	}
	m, r := rest(t, "gaussian")
	if _, err := control.ByName(m.Keys.Bindings, "shift").With("rotate"); err == nil {
		t.Error("a density is rotated")
	}
	m.Update(press("i"))
	m.does("shift")
	if m.Focus.Browse || len(r.sent) != 0 {
		t.Errorf("%d commands for a density", len(r.sent))
	}
}

// Whatever is pressed and clicked while a network runs and its images are shifted,
// nothing panics and no frame is larger than the terminal, and every border is closed.
func TestAnythingOnImages(t *testing.T) {
	innerlooptest.Skip(t, "random keys")
	snap := digitsAtRest()
	s, err := session.New(snap.Config, snap.Problem, session.Runtime{Threads: 2, Interactive: true})
	if err != nil {
		t.Fatal(err)
	}
	running(t, s)
	m := newScreenOn(t, s, 120, 36)
	m.Update(press("i"))
	rng := rand.New(rand.NewPCG(6, 8))
	var keys []string
	for _, b := range m.Keys.Bindings {
		if strings.HasPrefix(b.Name, "images: ") {
			keys = append(keys, strings.Fields(b.Keys)...)
		}
	}
	keys = append(keys, "i", "i", "i", "tab", "pgup", "pgdown", "5", "5", "1", "space", ".", "z", "l", "a", "x", "b",
		"f", "f", "o", "v", "+", "-", "0", "up")
	w, h := 120, 36
	for range events(5_000) {
		var msg tea.Msg
		switch k := rng.IntN(20); {
		case k < 12:
			msg = press(keys[rng.IntN(len(keys))])
		case k < 13:
			w, h = size(rng), size(rng)/3
			msg = tea.WindowSizeMsg{Width: w, Height: h}
		case k < 17:
			at := tea.Mouse{X: rng.IntN(w + 1), Y: rng.IntN(h + 1), Button: tea.MouseButton(1 + rng.IntN(5))}
			if k&1 == 0 {
				at.Y = max(h-4-rng.IntN(3), 0) // where the slider is
			}
			msg = []tea.Msg{tea.MouseClickMsg(at), tea.MouseWheelMsg(at), tea.MouseMotionMsg(at),
				tea.MouseReleaseMsg(at)}[rng.IntN(4)]
		default:
			msg = []tea.Msg{control.TickMsg{Tag: m.Feed.Tag}, control.ChangedMsg{}}[rng.IntN(2)]
		}
		m.Update(msg)
		m.checked(t, msg)
	}
}

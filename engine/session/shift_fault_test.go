package session

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/session/internal/sideline"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/tool/caught"
	"github.com/psgld/psgld-tui/targets"
)

// A data set that cannot be read is said so each time that it is chosen, and the
// other kinds of shift do without it.
func TestShiftWithoutItsDataSet(t *testing.T) {
	innerlooptest.Skip(t, "predictions of many draws")
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "mnist"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"} {
		if err := os.WriteFile(filepath.Join(dir, "mnist", name), []byte{0}, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p := digits()
	s := watched(t, p, networkConfig(p, 0, "psgld"), 1, 100)
	s.side.Shifts(s.now.Problem).Rest()
	s.side = sideline.Sideline{Interactive: true, DataDir: dir, Poke: s.inbox.Poke, Heard: s.heard}
	for range 2 {
		s.pub.notice = engine.Notice{}
		tell(t, s, state.SetShift{Shift: targets.Shift{Kind: targets.ShiftForeign, Amount: 0.5}})
		for ; s.pub.notice.Err() == nil; s.publish() {
			time.Sleep(time.Millisecond)
		}
		if r, ok := s.pub.notice.Fact.(state.Refused); !ok || !strings.Contains(r.Err.Error(), "truncated") {
			t.Fatalf("said %+v", s.pub.notice)
		}
		s.pub.notice = engine.Notice{}
		if v := shiftOf(t, s, targets.Shift{Kind: targets.ShiftRotate, Amount: 45}); len(v.Images) == 0 || v.Lanes[0].Draws == 0 {
			t.Fatalf("no images turned: %+v", v)
		}
	}
}

// faulty is a network that cannot predict single images.
type faulty struct{ *targets.Classifier }

func (f faulty) Fork(workers int) targets.Fork[float32] {
	return faulty{f.Classifier.Fork(workers).(*targets.Classifier)}
}

func (faulty) PredictPictures([]float64, []float32, []uint8) { panic("no picture") }

// What panics beside a session that is paused ends it, and does not wait for a
// command.
func TestShiftPanics(t *testing.T) {
	p := *digits()
	p.F32 = faulty{p.F32.(*targets.Classifier)}
	s, err := New(networkConfig(&p, 60, "psgld"), &p, Runtime{Interactive: true, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	s.Send(state.Watch{Y: 1, Predictions: true})
	s.Send(state.SetShift{Shift: targets.Shift{Kind: targets.ShiftRotate, Amount: 45}})
	var panicked *caught.Panic
	if err := s.Run(t.Context()); !errors.As(err, &panicked) {
		t.Fatalf("ended by %v", err)
	}
}

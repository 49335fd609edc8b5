package driver

import (
	"context"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
)

// A driven session takes the steps that it is told to take, goes to the places that it is told
// to go to, stands still between commands, and says why it has ended.
func TestDriver(t *testing.T) {
	p, err := targets.Open("gaussian", targets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	cfg := state.Config{Target: "gaussian", Seed: 1, Init: "random",
		Lanes: []state.Setting{state.DefaultSetting(p, "psgld")}, Steps: 5000}
	s, err := session.New(cfg, p, session.Runtime{Threads: 1, Interactive: true})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	d := Drive(ctx, s)
	waited := 0
	d.Waits = func(_ *engine.Snapshot, done float64) {
		if waited++; done < 0 || done > 1 {
			t.Errorf("%g of the steps are taken", done)
		}
	}
	for _, c := range []struct {
		command state.Command
		step    uint64
	}{
		{state.StepBy{N: 3000}, 3000}, {state.Restart{Seed: 2}, 0}, {state.StepBy{N: 100}, 100},
		// The lane behind the restart has executed less than the one before it.
		{state.Seek{To: 2990}, 2990}, {state.StepBy{N: 50}, 40}, {state.StepBy{N: 1 << 40}, 100},
		{state.StepBy{N: 1 << 40}, 5000},
	} {
		snap, err := d.Send(c.command)
		if err != nil || snap.Lanes[0].Step != c.step {
			t.Fatalf("after %#v it stands at %d, %v", c.command, snap.Lanes[0].Step, err)
		}
	}
	if waited == 0 {
		t.Error("nobody is told what is waited for")
	}
	cancel()
	<-d.Ended
	if snap, err := d.Send(state.Undo{}); err != context.Canceled || snap.Lanes[0].Step != 5000 {
		t.Errorf("a session that has ended is at %d, %v", snap.Lanes[0].Step, err)
	}
	if err := d.Stop(); err != nil {
		t.Errorf("it ended with %v", err)
	}
}

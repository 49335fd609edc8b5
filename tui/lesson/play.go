package lesson

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/driver"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/grammar"
)

// PlayOptions are what playing a lesson needs.
type PlayOptions struct {
	DataDir string
	Threads int // as in session.Runtime
	// Seen, if not nil, is given the snapshot with which each scene ends.
	Seen func(scene int, s *engine.Snapshot)

	begun func(r Run, s *engine.Snapshot) // for tests: each scene, answered, and its first snapshot
}

// A Report is what came of playing a lesson.
type Report struct {
	Skipped error // its data are not on this machine; nil if it was played
	Scenes  []SceneReport
	Seconds float64
}

// A SceneReport says how a scene ended.
type SceneReport struct {
	Card
	Steps uint64 // of the lane that took most, in the session at hand
}

// Play plays a lesson without a screen. It starts each scene's session, makes the moves, and checks that the goal is
// reached by them and not before, that the claims hold, and that every number of the texts is then known. Lanes step in
// lockstep even if the lesson has them race, so no number but a time depends on the machine. The error names the file,
// the line and what is wrong.
//
// A lesson whose data are missing is not played, and Report.Skipped says why.
func Play(ctx context.Context, l *Lesson, o PlayOptions) (Report, error) {
	began := time.Now()
	p := player{o: o}
	defer p.end()
	var err error
	for run, more := Start(l), true; more && err == nil; run, more = p.run.Next() {
		err = p.scene(ctx, run)
	}
	p.report.Seconds = time.Since(began).Seconds()
	if len(p.report.Scenes) == 0 && errors.Is(err, fs.ErrNotExist) {
		p.report.Skipped, err = err, nil
	}
	return p.report, err
}

// player is a user without a screen.
type player struct {
	o      PlayOptions
	run    Run
	report Report

	driver *driver.Driver // of the session at hand
}

// scene plays the scene to which a run has come.
func (p *player) scene(ctx context.Context, r Run) error {
	open, set := r.Enters(p.run)
	p.run = r
	i, s := r.At, r.Scene()
	wrong := func(key, format string, args ...any) error {
		return fmt.Errorf("%s: %w", p.run.Lesson.at(i, key), fmt.Errorf(format, args...))
	}
	if open != nil {
		if err := p.start(ctx, *open); err != nil {
			return wrong("session", "%w", err)
		}
	}
	for _, to := range set {
		commands := to.Commands()
		if to.Shift != nil { // which shows in the view of predictions
			commands = slices.Insert(commands, 0, state.Command(state.Watch{Y: 1, Predictions: true}))
		}
		for _, c := range commands {
			if _, err := p.driver.Send(c); err != nil {
				return wrong("shift", "%w", err)
			}
		}
	}
	p.run = p.run.Answer(s.Answer)
	snap, err := p.settle()
	if err != nil {
		return err
	}
	if key := s.Preset.Param; key != "" &&
		!slices.ContainsFunc(snap.Config.Lanes, func(l state.Setting) bool { return l.Has(key) }) {
		return wrong("param", "no lane has the parameter %q", s.Preset.Param)
	}
	if p.o.begun != nil {
		p.o.begun(p.run, snap)
	}
	if err := p.untouched(snap); err != nil {
		return wrong("goal", "%w", err)
	}
	if err := p.reachable(snap); err != nil {
		return wrong("goal", "%w", err)
	}
	p.run = p.run.See(snap)
	for k, m := range s.Moves {
		if snap, err = p.move(m, snap); err != nil {
			return wrong("moves", "number %d, %s: %w", k+1, m, err)
		}
		if m.Name != grammar.Run {
			p.run = p.run.See(snap) // as a screen does, which a restart does not escape
		}
	}
	p.run = p.run.See(snap)
	furthest := slices.MaxFunc(snap.Lanes, func(a, b engine.LaneView) int { return cmp.Compare(a.Step, b.Step) })
	p.report.Scenes = append(p.report.Scenes, SceneReport{p.run.Card(), furthest.Step})
	if p.o.Seen != nil {
		p.o.Seen(i, snap)
	}
	if p.run.Phase() != Revealed {
		return wrong("goal", "is not reached by the moves: %s", describe(p.run.Card().Goals))
	}
	for _, c := range s.Claims.ands() {
		if t := c.eval(p.run.observed(snap)); t != True {
			return wrong("claims", "%q is %s: %s", c, t, describe(goalLines(c, p.run.observed(snap))))
		}
	}
	if missing := s.Reveal.missing(p.run.observed(snap)); len(missing) > 0 {
		return wrong("reveal", "has numbers that are not known: %s", strings.Join(missing, ", "))
	}
	return nil
}

// untouched checks that the goal is not reached before anything is done, even if the
// session had run on for days in the scene before.
func (p *player) untouched(s *engine.Snapshot) error {
	scene := p.run.Scene()
	if scene.Goal.Empty() {
		return nil
	}
	reached := fmt.Errorf("%q is reached before anything is done", scene.Goal)
	switch {
	case p.run.See(s).Phase() == Revealed:
		return reached
	case scene.Preset.Starts():
		return nil
	}
	s = ranOn(s)
	r := p.run.See(s)
	if r.Phase() == Revealed {
		return reached
	}
	for _, part := range scene.Goal.ands() {
		if part.about(func(q *measure) bool { return q.counts }) && part.eval(r.observed(s)) == True {
			return fmt.Errorf("%q also counts what was there before the scene; new_draws counts from its beginning",
				part)
		}
	}
	return nil
}

// reachable checks that a user who turns parameters notch by notch comes to the settings that the goal asks for, from
// wherever between two notches the scenes before have left them. A setting that the goal gives exactly is typed.
func (p *player) reachable(s *engine.Snapshot) error {
	type setting struct {
		lane int
		q    *measure
	}
	parts := map[setting][]Condition{}
	for _, part := range p.run.Scene().Goal.ands() {
		if part.join != "" || slices.Contains(part.ops, "=") {
			continue
		}
		for _, x := range part.sides {
			if x.q != nil && x.q.param != nil && !x.q.before {
				parts[setting{x.lane, x.q}] = append(parts[setting{x.lane, x.q}], part)
			}
		}
	}
	for at, want := range parts {
		i := s.IndexOf(at.lane)
		if i < 0 {
			continue // a lane that is to be added
		}
		q := at.q.param
		if own, _, ok := s.Problem.Param(q.Key); ok { // of the target
			q = &own
		}
		turned := *s
		turned.Lanes = slices.Clone(s.Lanes)
		values := maps.Clone(s.Lanes[i].Window.Setting.Values)
		turned.Lanes[i].Window.Setting.Values = values
		met := func(x float64) bool {
			values[q.Key] = x
			return !slices.ContainsFunc(want, func(c Condition) bool { return c.eval(p.run.observed(&turned)) != True })
		}
		for part := range 10 {
			from := q.Turn(s.Lanes[i].Window.Setting.Values[q.Key], float64(part)/10)
			ok := met(from)
			for _, way := range [...]float64{1, -1} {
				for x, n := from, 0; !ok && n < mostNotches; n++ {
					x = q.Turn(x, way)
					ok = met(x)
				}
			}
			if !ok {
				return fmt.Errorf("%q is stepped over by a user who turns %s from %s notch by notch; widen it", want[0],
					at.q.symbol, q.Format(from))
			}
		}
	}
	return nil
}

// mostNotches is more than any slider has.
const mostNotches = 200

// ranOn is the snapshot as if the session had run on for days: what grows by waiting alone is greater.
func ranOn(s *engine.Snapshot) *engine.Snapshot {
	const days = 1e12
	later := *s
	later.Lanes = slices.Clone(s.Lanes)
	for i := range later.Lanes {
		v := &later.Lanes[i]
		v.Draws += days
		v.Kept += days
		for _, id := range growing {
			v.Values[id].Value += days
		}
		v.Values[quantity.MinESS].Value *= days
	}
	return &later
}

// describe lists goal lines with their values.
func describe(goals []GoalLine) string {
	var all []string
	for _, g := range goals {
		text := g.Label
		if g.Demand != "" {
			text += " is " + g.Value + ", want " + g.Demand
		}
		all = append(all, fmt.Sprintf("%s (%s)", text, g.State))
	}
	return strings.Join(all, "; ")
}

// start starts the session of a preset.
func (p *player) start(ctx context.Context, preset Preset) error {
	p.end()
	cfg, prob, err := preset.Session.Config(func(c state.Config) (*targets.Problem,
		error) {
		return c.Open(p.o.DataDir)
	})
	if err != nil {
		return err
	}
	cfg.Race = false
	s, err := session.New(cfg, prob, session.Runtime{Threads: p.o.Threads, DataDir: p.o.DataDir, Interactive: true})
	if err != nil {
		return err
	}
	p.driver = driver.Drive(ctx, s)
	return nil
}

// end ends the session, if there is one.
func (p *player) end() {
	if p.driver != nil {
		_ = p.driver.Stop() // an error has come of a command
	}
}

// move makes a move and returns what came of it.
func (p *player) move(m grammar.Move, s *engine.Snapshot) (*engine.Snapshot, error) {
	commands, err := m.Commands(s.State())
	if err != nil {
		return nil, err
	}
	for _, c := range commands {
		if c, ok := c.(state.StepBy); ok && c.N > maxRun {
			return nil, fmt.Errorf("must be at most %d steps, got %d", uint64(maxRun), c.N)
		}
		if _, err := p.driver.Send(c); err != nil {
			return nil, err
		}
	}
	now, err := p.settle()
	if err == nil && m.Name != grammar.Run && now.Notice.Serial != s.Notice.Serial {
		err = now.Notice.Err()
	}
	return now, err
}

// maxRun bounds a move, so that a slip of the pen does not run for days.
const maxRun = 1e9

// settle returns a snapshot in which every draw has been evaluated: saving waits for that.
// Images that are to be shifted are, and what is worked out beside the sampling is there.
func (p *player) settle() (*engine.Snapshot, error) {
	for {
		s, err := p.driver.Send(engine.Save{To: make(chan engine.Saved, 1)})
		if err != nil || s.Settled() {
			return s, err
		}
		time.Sleep(10 * time.Millisecond)
	}
}

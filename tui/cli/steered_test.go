package cli

import (
	"encoding/json"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/driver"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/grammar"
)

// steered runs a session of a line's flags on a screen's engine and sends it commands, each after
// it has come to rest behind some steps. It returns the session as it ended, and what was refused
// is as if it had not been sent.
func steered(t *testing.T, args grammar.Args,
	do func(send func(steps uint64, c state.Command) *engine.Snapshot)) *session.Session {
	t.Helper()
	cfg, p, err := args.Config(openPlain)
	if err != nil {
		t.Fatal(err)
	}
	s, err := session.New(cfg, p, session.Runtime{Interactive: true, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	driver := driver.Drive(t.Context(), s)
	do(func(steps uint64, c state.Command) (now *engine.Snapshot) {
		for _, c := range []state.Command{state.StepBy{N: steps}, c} {
			if now, err = driver.Send(c); err != nil {
				t.Fatal(err)
			}
		}
		return now
	})
	if err := driver.Stop(); err != nil {
		t.Fatal(err)
	}
	return s
}

func openPlain(c state.Config) (*targets.Problem, error) { return c.OpenWith(targets.Options{}) }

// shellArgs has the shell read a line, and returns the flags of the program that it starts.
func shellArgs(t *testing.T, line string) grammar.Args {
	t.Helper()
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh")
	}
	out, err := exec.CommandContext(t.Context(), sh, "-c", "printf '%s\\0' "+line).Output()
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")[1:]
	args := grammar.Args{}
	for i := 0; i < len(all); i++ {
		name := strings.TrimPrefix(all[i], "--")
		k := slices.IndexFunc(grammar.Flags(), func(f grammar.Flag) bool { return f.Name == name })
		if args[name] = "true"; !grammar.Flags()[k].Switch() {
			i++
			args[name] = all[i]
		}
	}
	return args
}

// ends are the digests of a session's lanes at its end, by their IDs.
func ends(s *session.Session) map[int]string {
	all := map[int]string{}
	for i, l := range s.Result("").Lanes {
		all[s.Snapshot().Lanes[i].ID] = l.Digest
	}
	return all
}

// repeats plays the line of a session and compares each lane's digest at the step where it stood.
func repeats(t *testing.T, was *session.Session, line string) {
	t.Helper()
	args := shellArgs(t, line)
	cfg, p, err := args.Config(openPlain)
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	cfg = cfg.Unlimited()
	events, err := args.Events(cfg, p)
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	end := state.Event{Command: state.Pause{}}
	for _, l := range slices.SortedFunc(slices.Values(was.Snapshot().Lanes),
		func(a, b engine.LaneView) int { return a.ID - b.ID }) {
		end.At = append(end.At, l.Step)
	}
	for _, e := range events { // a lane that was rewound does not go on while another one is turned
		if len(e.At) == len(end.At) {
			for i := range e.At {
				e.At[i] = min(e.At[i], end.At[i])
			}
		}
	}
	s, err := session.New(cfg, p, session.Runtime{Replay: append(events, end)})
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	if err := s.Run(t.Context()); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	got, want := ends(s), ends(was)
	for id, d := range want {
		if got[id] != d {
			t.Errorf("%s\nlane %s ends with %s, was %s; events %d, steps %v", line, state.LaneLetter(id), got[id], d,
				len(events), end.At)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%s\n%d lanes, want %d", line, len(got), len(want))
	}
}

// Whatever is turned in a session, its command line makes each of its lanes again, to the bit: with
// turns of one lane and of all, of samplers, schedules and the target, with what was undone or
// taken back by rewinds and branches, in lanes that diverge, that are added and removed, and
// behind restarts. What a line cannot say is a lane that was added on another shape of the target.
func TestCommandLineRepeatsASteeredSession(t *testing.T) {
	innerlooptest.Later(t, "many sessions")
	lineRepeats(t, 0, 21)
}

func TestCommandLineRepeatsOverSeeds(t *testing.T) {
	innerlooptest.Later(t, "many sessions")
	lineRepeats(t, 21, 60)
}

// lineRepeats proves that the lines of sessions that were steered at random, by seeds from one to another, make the
// sessions anew.
func lineRepeats(t *testing.T, from, to int) {
	targetsOf := []string{
		"gaussian", "banana:b=0.5", "density:-(1-x)^2 - b*(y-x^2)^2 - log(1 + exp(c*x)) ;b=5;c=0.25",
		"mixture", "funnel", "regress", "classify:points=0,0,1",
	}
	lost := 0
	for seed := from; seed < to; seed++ {
		rng := rand.New(rand.NewPCG(uint64(seed), 24))
		args := grammar.Args{"target": targetsOf[seed%len(targetsOf)], "seed": strconv.Itoa(seed + 1),
			"samplers": []string{"psgld,sgld", "sgnht", "hmc,psgld", "psgld,sghmc,sgld"}[rng.IntN(4)]}
		if rng.IntN(4) == 0 {
			args["chains"] = "2"
		}
		s := steered(t, args, func(send func(uint64, state.Command) *engine.Snapshot) {
			now := send(1, state.Undo{})
			for range rng.IntN(14) {
				steps := []uint64{0, 1, 30, 200, uint64(rng.IntN(700))}[rng.IntN(5)]
				now = send(steps, randomCommand(rng, now))
			}
			send(150, state.Undo{})
		})
		line, err := grammar.SteeredLine(s.Snapshot())
		if err != nil {
			lost++
			continue
		}
		repeats(t, s, line)
	}
	if n := to - from; lost > n/6 {
		t.Errorf("%d of %d sessions are in no line", lost, n)
	}
}

// randomCommand is something that a user may do.
func randomCommand(rng *rand.Rand, s *engine.Snapshot) state.Command {
	lane := rng.IntN(len(s.Lanes)+1) - 1 // or all
	of := s.Config.Lanes[max(lane, 0)]
	switch k := rng.IntN(26); {
	case k < 6:
		eps := of.Eps() * []float64{0.1, 0.5, 1.5, 3, 20}[rng.IntN(5)]
		return state.SetParam{Lane: lane, Key: sampler.KeyEps, Value: eps}
	case k < 8:
		return state.SetParam{Lane: lane, Key: []string{"alpha", "thin", "temp", "friction", "lambda"}[rng.IntN(5)],
			Value: []float64{1, 0.5, 2, 0.9}[rng.IntN(4)]}
	case k < 11 && len(s.Problem.Params) > 0:
		at := rng.IntN(len(s.Problem.Params))
		return state.SetParam{Lane: state.AllLanes, Key: s.Problem.Params[at].Key,
			Value: s.Problem.Values()[at] * []float64{0.5, 2, 1.25}[rng.IntN(3)]}
	case k < 13:
		return state.SetSampler{Lane: lane,
			Name: []string{"sgd", "psgld", "sgld", "sgnht", "adam", "mala"}[rng.IntN(6)]}
	case k < 14:
		schedule, _, err := sampler.ParseSchedule([]string{"const", "halve:100", "poly:0.3,1,0.5"}[rng.IntN(3)])
		if err != nil {
			panic(err)
		}
		return state.SetSchedule{Lane: lane, Schedule: schedule}
	case k < 16:
		return state.Undo{}
	case k < 17:
		return state.Redo{}
	case k < 19:
		return state.Rewind{Lane: lane, Steps: uint64(rng.IntN(300)), EpsFactor: []float64{0.5, 1}[rng.IntN(2)]}
	case k < 20:
		return state.AddLane{Name: "sgld", Like: max(lane, 0)}
	case k < 21:
		return state.RemoveLane{Lane: max(lane, 0)}
	case k < 22:
		return state.Seek{To: uint64(rng.IntN(int(s.Tape.At) + 1))}
	case k < 23:
		return state.SetParam{Lane: lane, Key: "freeze", Value: state.FromNow}
	}
	if _, ok := s.Problem.F64.(targets.Functional); ok && rng.IntN(4) > 0 {
		if rng.IntN(4) == 0 {
			return state.ClearPoints{}
		}
		return state.AddPoint{Datum: targets.Datum{X: rng.Float64(), Y: rng.NormFloat64(), Class: float64(rng.IntN(2))}}
	}
	return state.Restart{Seed: s.Config.Seed + uint64(rng.IntN(2))}
}

// The line of a session, run, has the same digests, and its results say so.
func TestRunWithMoves(t *testing.T) {
	innerlooptest.Numbers(t, "many sessions")
	spec := "density: -(1 - x)^2 - b*(y - x^2)^2 ;b=5" // with blanks, brackets and semicolons for the shell
	s := steered(t, grammar.Args{"target": spec}, func(send func(uint64, state.Command) *engine.Snapshot) {
		send(1200, state.SetParam{Lane: 1, Key: "eps", Value: 0.01})
		send(800, state.SetParam{Lane: state.AllLanes, Key: "target.b", Value: 20})
		send(1000, state.Undo{})
		send(500, state.Undo{})
		send(500, state.Pause{})
	})
	line, err := grammar.SteeredLine(s.Snapshot())
	want := `psgld-tui --target 'density:-(1 - x)^2 - b*(y - x^2)^2;b=5' --moves '1200 B eps=0.01; 2000 target.b=20; 3000 target.b=5; 3500 B eps=0.002'`
	if err != nil || line != want {
		t.Errorf("%s (%v), want %s", line, err, want)
	}
	args := shellArgs(t, line)
	var doc struct {
		Command string
		Lanes   []struct{ Digest string }
	}
	document(t, &doc, "run", "--target", args["target"], "--moves", args["moves"], "--steps", "4000")
	want = strings.Replace(line, " --target", " run --target", 1)
	if strings.Replace(doc.Command, " --steps 4000", "", 1) != want {
		t.Errorf("the document has the command %s, want %s", doc.Command, want)
	}
	for id, d := range ends(s) {
		if doc.Lanes[id].Digest != d {
			t.Errorf("lane %d: %s, was %s", id, doc.Lanes[id].Digest, d)
		}
	}
	// Behind its last move a run has as many steps as without moves.
	var free struct {
		Lanes  []struct{ Steps uint64 }
		Config struct{ Lanes []state.Setting }
	}
	document(t, &free, "run", "--moves", "300 eps=0.02")
	var usual struct{ Lanes []struct{ Steps uint64 } }
	document(t, &usual, "run")
	if free.Lanes[0].Steps != usual.Lanes[0].Steps+300 || free.Config.Lanes[0].Eps() != 0.02 {
		t.Errorf("%+v, %d steps without", free, usual.Lanes[0].Steps)
	}
	// A limit in seconds or epochs ends a run before its moves, and --until waits for them.
	document(t, &free, "run", "--target", "blr:synthetic", "--epochs", "2", "--moves", "90000 thin=2")
	if free.Lanes[0].Steps > 1000 || free.Config.Lanes[0].Value("thin") == 2 {
		t.Errorf("an end by epochs: %+v", free)
	}
	document(t, &free, "run", "--until", "ess=20", "--moves", "9000 thin=2")
	if free.Lanes[0].Steps <= 9000 {
		t.Errorf("an end by --until before the moves: %+v", free)
	}
	// Of lanes that have all diverged nothing is turned.
	r := runArgs(t, "run", "--samplers", "sgld", "--eps", "3", "--moves", "9000 thin=7", "--json")
	if err := json.Unmarshal([]byte(r.out), &free); err != nil || r.status != console.ExitDiverged ||
		free.Config.Lanes[0].Value("thin") == 7 {
		t.Errorf("status %d, %v, %s", r.status, err, r.out)
	}
}

func TestMovesErrors(t *testing.T) {
	innerlooptest.Skip(t, "many command lines")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"eps=0.3"}, `--moves: item 1, "eps=0.3": its step must be a whole number, 0 or more, got "eps=0.3", as in 12400 eps=0.3`},
		{[]string{"10 eps=0.3; 20 epz=1"}, `--moves: item 2, "20 epz=1": epz cannot be planned`},
		{[]string{"10 eps=0.3; ; 20 eps=-1"}, `--moves: item 3, "20 eps=-1": must be positive, got -1`},
		{[]string{"10 restart"}, `--moves: item 1, "10 restart": restart cannot be planned, want KEY=VALUE, `},
		{[]string{"10 chains=2"}, `--moves: item 1, "10 chains=2": chains cannot be planned`},
		{[]string{"20 eps=0.3; 10 B eps=0.2"},
			`--moves: item 2, "10 B eps=0.2": lane B is at step 20 by then, want the moves of a lane in the order of their steps`},
		{[]string{"20 C eps=0.3"}, `--moves: item 1, "20 C eps=0.3": there is no lane C`},
		{[]string{"10 B remove; 20 B eps=0.3"}, `there is no lane B`},
		{[]string{"10 B remove; 20 A remove"}, `a session has at least one lane`},
		{[]string{"10/20/30 target.a=2"}, `it has 3 steps where there are 2 lanes`},
		{[]string{"10/20 B eps=2"}, `it has 2 steps for one lane`},
		{[]string{"10 target.q=2"}, `is no parameter of gaussian`},
		{[]string{"10 A sampler hmc; 20 A schedule=halve:10"}, `which adapts its own step size`},
		{[]string{"500 eps=0.1", "--steps", "400"},
			`--moves: item 1, "500 eps=0.1": it is behind the last step, --steps 400`},
		{[]string{"10 eps=0.3\x1b[31m"}, `--moves: item 1, "10 eps=0.3\x1b[31m": must be positive`},
	} {
		r := runArgs(t, append([]string{"run", "--moves"}, c.args...)...)
		if r.status != console.ExitUsage || !strings.Contains(r.err, c.want) || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%v: status %d, %q, want %q", c.args, r.status, r.err, c.want)
		}
	}
	if r := runArgs(t, "sweep", "--grid", "eps=0.1,0.2", "--moves", "5 eps=1"); r.status != console.ExitUsage ||
		!strings.Contains(r.err, "--moves is for one session") {
		t.Errorf("sweep: %d, %s", r.status, r.err)
	}
}

package targets

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/psgld/psgld-tui/targets/child"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/printable"
)

// Outside is a Target that another process evaluates. Its gradients can take long and fail. Calls run under the context
// that Under has set. After a call has failed, later ones give NaN at once, until Under is called again.
type Outside[F Float] interface {
	Target[F]
	// Apart returns the same target in a process of its own, for one lane. The process
	// begins to start, and Close ends it.
	Apart() Outside[F]
	// Under makes gradients end when ctx ends, and forgets an earlier error. The next
	// gradient starts a process that has ended again.
	Under(ctx context.Context)
	// Err is the error of the first gradient that failed since Under: the context's error,
	// or one line about the process.
	Err() error
	// Asked is how many gradients were asked for, and how long that has taken.
	Asked() (gradients uint64, waited time.Duration)
	// Repeats reports whether the process says that the same question has the same answer, to the bit.
	Repeats() bool
	Close()
}

// Model is a target that a child process evaluates, see package child. Gradients of several
// goroutines go one after the other.
type Model struct {
	command  child.Command
	commands *child.Commands
	hello    child.Hello
	unread   []float64 // a gradient that nobody reads
	at, seen []float64 // the newest θ that was shown, and as what; nil where nothing was

	mu      sync.Mutex
	process *child.Process // nil before the first gradient
	spare   *time.Timer    // ends a process that nobody has asked yet; nil after that
	ctx     context.Context
	err     error
	asked   uint64
	waited  time.Duration
}

// LogModel is a Model whose answers hold the log-likelihood. LogLik costs nothing more if the
// next gradient is of all data at the same θ.
type LogModel struct{ *Model }

var (
	_ Outside[float64]            = (*Model)(nil)
	_ Outside[float64]            = LogModel{}
	_ LikelihoodGradient[float64] = LogModel{}
	_ LogDensity[float64]         = LogModel{}
)

// Dim is D.
func (m *Model) Dim() int { return m.hello.Dim }

// N is the number of data; 1 for a model that says it has none.
func (m *Model) N() int { return max(m.hello.Data, 1) }

// Repeats implements Outside.
func (m *Model) Repeats() bool { return m.hello.Repeats }

// Grad implements Target. dst is NaN where the gradient failed.
func (m *Model) Grad(dst, theta []float64, batch []int32) { m.gradient(dst, theta, batch) }

// GradLogLik is Grad, and returns the mean log-likelihood.
func (m LogModel) GradLogLik(dst, theta []float64, batch []int32) float64 {
	return m.gradient(dst, theta, batch)
}

// LogLik implements LogDensity. It is NaN where the gradient, which comes with it, failed.
func (m LogModel) LogLik(theta []float64) float64 {
	return float64(m.N()) * m.gradient(m.unread, theta, nil)
}

func (m *Model) gradient(dst, theta []float64, batch []int32) float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.err == nil {
		m.begin()
		start := time.Now()
		defer func() { m.waited += time.Since(start) }()
		m.asked++
		var logLik float64
		if logLik, m.err = m.process.Gradient(m.ctx, dst, theta, batch); m.err == nil {
			return logLik
		}
	}
	for i := range dst {
		dst[i] = math.NaN()
	}
	return math.NaN()
}

// Show implements Scale. dst is NaN where the question failed.
func (m *Model) Show(dst, theta []float64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.at == nil {
		m.at, m.seen = make([]float64, len(theta)), make([]float64, len(theta))
		m.at[0] = math.NaN()
	}
	if !slices.Equal(m.at, theta) {
		if m.err == nil {
			m.begin()
			m.err = m.process.Show(m.ctx, dst, theta)
		}
		if m.err != nil {
			for i := range dst {
				dst[i] = math.NaN()
			}
			return
		}
		copy(m.at, theta)
		copy(m.seen, dst)
	}
	copy(dst, m.seen)
}

// Step implements Scale.
func (m *Model) Step(dst, x []float64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.begin()
	within, err := m.process.Step(m.ctx, dst, x)
	if err == nil && !within {
		err = errors.New("the parameters are beyond the model's bounds, or of a type that it cannot step back to")
	}
	return err
}

func (m *Model) begin() {
	if m.spare != nil {
		m.spare.Stop()
		m.spare = nil
	}
	if m.process != nil && m.process.Running() {
		return
	}
	m.process = m.commands.Start(m.command, &m.hello)
}

// Under implements Outside.
func (m *Model) Under(ctx context.Context) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ctx, m.err = ctx, nil
}

// Err implements Outside.
func (m *Model) Err() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.err
}

// Asked implements Outside.
func (m *Model) Asked() (gradients uint64, waited time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.asked, m.waited
}

// Apart implements Outside.
func (m *Model) Apart() Outside[float64] { return m.apart() }

// Apart implements Outside.
func (m LogModel) Apart() Outside[float64] { return LogModel{m.apart()} }

// apart takes the process by which the model was opened, if nobody has asked it yet.
func (m *Model) apart() *Model {
	m.mu.Lock()
	defer m.mu.Unlock()
	a := &Model{command: m.command, commands: m.commands, hello: m.hello, unread: make([]float64, m.hello.Dim),
		ctx: context.Background()}
	if m.spare != nil && m.spare.Stop() {
		a.process, m.process, m.spare = m.process, nil, nil
	}
	a.begin()
	return a
}

// rest leaves the process to the first lane, for a while.
func (m *Model) rest() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.spare = time.AfterFunc(m.commands.Patience(), m.process.Close)
}

// Close ends the process.
func (m *Model) Close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.process != nil {
		m.process.Close()
	}
}

// execFamily's settings are one command line.
var execFamily = Family{
	Name:    "exec",
	Usage:   "exec:COMMAND",
	Doc:     "a model in any language: a command of the shell, which is asked for gradients",
	reaches: always,
	open:    openExec,
}

// ModelPrefix begins the value of --target that starts a model's command.
const ModelPrefix = "exec:"

// Command is what Commands.Allow has to allow for a value of --target that starts a command: the command line, or of a
// Stan model the value as it is.
func Command(spec string) (command string, ok bool) {
	spec = strings.TrimSpace(spec)
	name, command, _ := strings.Cut(spec, ":")
	if name == stanFamilyName {
		return spec, true
	}
	return strings.TrimSpace(command), name == execFamily.Name
}

// A Forbidden is the error for a command that Options.Commands do not allow.
type Forbidden struct{ Command string }

// Error shows the command.
func (e *Forbidden) Error() string {
	spec := e.Command
	if _, is := Command(spec); !is {
		spec = ModelPrefix + spec
	}
	return fmt.Sprintf("target %q starts a command, which a file must not do unless --allow-exec is given",
		printable.Line(spec))
}

func openExec(args string, o Options) (*Problem, error) {
	command := strings.TrimSpace(args)
	if command == "" {
		return nil, misuse("exec: must be exec:COMMAND, such as exec:python3 model.py, got no command")
	}
	if !o.Commands.Allows(command) {
		return nil, &Forbidden{command}
	}
	p, h, err := openModel(child.Command{Line: command}, o)
	if err != nil {
		return nil, err
	}
	p.Spec, p.Title = ModelPrefix+command, printable.Line(command)
	p.Defaults = Defaults{Thin: 1, Steps: 10_000}
	p.Init = func(dst, z []float64) { copy(dst, z) }
	d := &p.Defaults
	if p.HasData() {
		d.LR, d.PriorVar, p.Whole = 0.01, 1, !h.Minibatches
		if h.Minibatches {
			d.Batch = min(100, h.Data)
		}
	} else {
		d.Eps = 0.01
	}
	return p, nil
}

// openModel is the target that a command evaluates, with its names and what it says of itself.
func openModel(command child.Command, o Options) (*Problem, child.Hello, error) {
	m := &Model{command: command, commands: o.Commands, ctx: context.Background()}
	m.process = o.Commands.Start(command, nil)
	var err error
	if m.hello, err = m.process.Hello(o.within()); err != nil {
		m.process.Close()
		return nil, m.hello, err
	}
	m.command.First = 0 // what is started again need not be made
	m.rest()
	p := &Problem{Names: m.hello.Names, Disperse: 2}
	m.unread = make([]float64, m.hello.Dim)
	if p.Names == nil {
		p.Names = list.Map(list.Upto(m.hello.Dim), func(i int) string { return fmt.Sprintf("theta[%d]", i+1) })
	}
	if p.F64 = m; m.hello.LogDensity {
		p.F64 = LogModel{m}
	}
	if m.hello.Scale {
		p.Scale, p.OwnPrior = m, true
	}
	return p, m.hello, nil
}

// Package child asks a program for gradients over its standard input and output, as the README beside it says.
package child

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"reflect"
	"sync"
	"time"

	"github.com/psgld/psgld-tui/targets/tool/printable"
)

// A Command is what starts a child.
type Command struct {
	Line  string        // for the system's shell
	Name  string        // of the target, which errors begin with; empty for exec: and the beginning of Line
	Feed  []byte        // what its standard input has before the questions
	First time.Duration // what it has for its first line beside the limit
}

func (c *Command) name() string {
	const most = 80
	return cmp.Or(c.Name, "exec:"+printable.Short(c.Line, most))
}

// An Error is why a child can no longer be asked. It is one line.
type Error struct {
	Name string // of the target
	What string // after "the model"
	Said string // the newest line of its standard error
}

func (e *Error) Error() string { return e.Name + ": the model " + e.What }

// A Process is a child that runs. One goroutine asks at a time; Close is for any.
type Process struct {
	command Command
	limit   time.Duration
	cmd     *exec.Cmd
	in, out *os.File // to and from the child
	said    *last    // of its standard error

	ready chan struct{} // closed when hello is known or failed is set
	hello Hello

	timer *time.Timer // ends the child when a question is too old

	// The question that was asked, and how much of it was sent and of its answer received.
	ask      []byte
	sent     int
	answer   []byte
	got      int
	next     []byte // scratch
	answered []byte // the question of which answer is
	ctx      context.Context
	stop     func() bool
	patient  bool // a question can be left without ending the child
	mu       sync.Mutex
	ended    bool // no more questions
	failed   *Error
	waited   bool // somebody waits for an answer
	overdue  bool // the limit came while nobody did
	reap     sync.Once
}

// Start begins a child. It does not wait for the first line, for which the child has the
// limit, as it has for each answer. What the child writes to its standard error goes to log,
// which may be nil. The first line must be same, unless that is nil.
func Start(command Command, limit time.Duration, log io.Writer, same *Hello) *Process {
	p := &Process{command: command, limit: limit, ready: make(chan struct{}), said: &last{to: log}}
	if err := p.start(); err != nil {
		p.failed, p.ended = &Error{Name: command.name(), What: "cannot be started: " + err.Error()}, true
		close(p.ready)
		return p
	}
	p.mu.Lock() // late reads it
	p.timer = time.AfterFunc(limit+command.First, p.late)
	p.mu.Unlock()
	go func() {
		defer close(p.ready)
		h, err := p.readHello()
		p.timer.Stop()
		if err != "" {
			p.fail(err)
			return
		}
		if same != nil && !reflect.DeepEqual(h, *same) {
			p.fail("says another first line than when it was started before")
			return
		}
		p.hello = h
	}()
	return p
}

// late ends a child that has taken too long. One whose question was left has the limit again
// when somebody comes back for the answer.
func (p *Process) late() {
	what, limit := "written its first line", p.limit+p.command.First
	select {
	case <-p.ready:
		what, limit = "answered", p.limit
		p.mu.Lock()
		p.overdue = !p.waited
		left := p.overdue
		p.mu.Unlock()
		if left {
			return
		}
	default:
	}
	_ = p.fail(fmt.Sprintf("has not %s within %v", what, limit))
}

func (p *Process) start() error {
	var files [6]*os.File
	for i := 0; i < len(files); i += 2 {
		r, w, err := os.Pipe()
		if err != nil {
			for _, f := range files[:i] {
				_ = f.Close()
			}
			return err
		}
		files[i], files[i+1] = r, w
	}
	p.cmd = shell(p.command.Line)
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = files[0], files[3], files[5]
	p.in, p.out = files[1], files[2]
	err := p.cmd.Start()
	for _, f := range []*os.File{files[0], files[3], files[5]} {
		_ = f.Close()
	}
	if err != nil {
		for _, f := range []*os.File{p.in, p.out, files[4]} {
			_ = f.Close()
		}
		return err
	}
	p.patient = p.out.SetReadDeadline(time.Time{}) == nil
	p.said.done = make(chan struct{})
	go p.said.copy(files[4])
	return nil
}

// readHello reads the first line. The second result says what is wrong with it.
func (p *Process) readHello() (Hello, string) {
	var line []byte
	_, _ = p.in.Write(p.command.Feed) // of a child that has ended the next error tells
	buf := make([]byte, 4096)
	for {
		n, err := p.out.Read(buf)
		line = append(line, buf[:n]...)
		if at := bytes.IndexByte(line, '\n'); at >= 0 {
			h, err := ParseHello(line[:at])
			switch {
			case err != nil:
				return h, "is not understood: its first line " + err.Error()
			case at+1 < len(line):
				return h, fmt.Sprintf("writes %s after its first line before it is asked", excess(line[at+1:]))
			}
			return h, ""
		}
		switch {
		case err != nil:
			return Hello{}, p.broken(err, "before its first line")
		case len(line) > maxLine:
			return Hello{}, fmt.Sprintf("is not understood: its first line has more than %d bytes", maxLine)
		}
	}
}

// excess describes bytes that should not be there.
func excess(b []byte) string {
	if isText(b) {
		return "the text " + quote(b)
	}
	return fmt.Sprintf("%d bytes", len(b))
}

// Hello waits for the first line.
func (p *Process) Hello(ctx context.Context) (Hello, error) {
	select {
	case <-p.ready:
	case <-ctx.Done():
		return Hello{}, ctx.Err()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failed != nil {
		return Hello{}, p.failed
	}
	return p.hello, nil
}

// Gradient asks for ḡ at θ on the rows of a minibatch, nil for all data, writes it to dst and returns
// the mean log-likelihood; what that is where the child does not know it is its own affair. A child
// that repeats itself is not asked the same question twice in a row. The error is ctx's, or an *Error;
// after that the child has ended. After ctx's the question stays asked: who asks the same one again
// waits for its answer, for which the limit runs on. It ends no child for whose answer nobody waits.
func (p *Process) Gradient(ctx context.Context, dst, theta []float64, batch []int32) (logLik float64, err error) {
	return p.question(ctx, dst, float64(len(batch)), theta, batch)
}

// Show asks for the parameters that are shown at θ, and Step for the θ of those, in the way of Gradient.
func (p *Process) Show(ctx context.Context, dst, theta []float64) error {
	_, err := p.question(ctx, dst, askShown, theta, nil)
	return err
}

// Step is Show the other way. It reports false for parameters that are beyond their bounds.
func (p *Process) Step(ctx context.Context, dst, x []float64) (within bool, err error) {
	y, err := p.question(ctx, dst, askStepped, x, nil)
	return !math.IsInf(y, -1), err
}

// What stands for the rows of a question about the scale.
const askShown, askStepped = -1, -2

func (p *Process) question(ctx context.Context, dst []float64, n float64, theta []float64,
	batch []int32) (logLik float64, err error) {
	if _, err := p.Hello(ctx); err != nil {
		return 0, err
	}
	p.watch(ctx)
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	p.await(true)
	defer p.await(false)
	p.next = encode(p.next[:0], n, theta, batch)
	if len(p.ask) > 0 && !bytes.Equal(p.ask, p.next) {
		if err := p.finish(ctx, len(dst)); err != nil { // nobody wants the answer
			return 0, err
		}
	}
	if len(p.ask) == 0 && p.hello.Repeats && bytes.Equal(p.answered, p.next) {
		return p.read(dst)
	}
	if len(p.ask) == 0 {
		p.ask, p.next, p.answered = p.next, p.ask, p.answered[:0]
		p.sent, p.got = 0, 0
		if want := 8 * (2 + len(dst)); len(p.answer) != want+1 {
			p.answer = make([]byte, want+1)
		}
		p.timer.Reset(p.limit)
	}
	if err := p.finish(ctx, len(dst)); err != nil {
		return 0, err
	}
	return p.read(dst)
}

// await says whether somebody waits for an answer from here on.
func (p *Process) await(on bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.waited = on; on && p.overdue && !p.ended {
		p.overdue = false
		p.timer.Reset(p.limit)
	}
}

func (p *Process) read(dst []float64) (logLik float64, err error) {
	logLik = float(p.answer[8:])
	if math.IsNaN(logLik) || math.IsInf(logLik, 1) {
		if p.hello.LogDensity {
			return 0, p.fail(fmt.Sprintf("answers %v for its log density", logLik))
		}
		logLik = math.NaN()
	}
	bad := 0.0
	for i := range dst {
		x := float(p.answer[16+8*i:])
		dst[i] = x
		bad += x - x // NaN for what is not finite
	}
	if bad != 0 && !math.IsInf(logLik, -1) {
		for i, x := range dst {
			if x-x != 0 {
				return 0, p.fail(fmt.Sprintf("answers %v for element %d of its gradient", x, i+1))
			}
		}
	}
	return logLik, nil
}

func float(b []byte) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(b)) }

// encode appends a question: how many rows, θ, and the rows.
func encode(b []byte, n float64, theta []float64, batch []int32) []byte {
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(n))
	for _, x := range theta {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	for _, i := range batch {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(float64(i)))
	}
	return b
}

// finish sends what is left of the question and receives what is left of its answer.
func (p *Process) finish(ctx context.Context, dim int) error {
	for p.sent < len(p.ask) {
		n, err := p.in.Write(p.ask[p.sent:])
		p.sent += n
		if err != nil {
			return p.gone(ctx, err)
		}
	}
	want := 8 * (2 + dim)
	var head [8]byte
	binary.LittleEndian.PutUint64(head[:], math.Float64bits(float64(1+dim)))
	for p.got < want {
		n, err := p.out.Read(p.answer[p.got:])
		p.got += n
		if k := min(p.got, len(head)); !bytes.Equal(p.answer[:k], head[:k]) {
			return p.strange(dim)
		}
		if err != nil && p.got < want {
			return p.gone(ctx, err)
		}
	}
	p.timer.Stop()
	if p.got > want {
		return p.fail(fmt.Sprintf("answers with more than %d numbers", 1+dim))
	}
	p.ask, p.answered = p.answered[:0], p.ask
	return nil
}

// strange is the error about an answer that does not begin as it should.
func (p *Process) strange(dim int) error {
	got := p.answer[:p.got]
	if x := 0.0; p.got >= 8 {
		if x = float(got); x == math.Trunc(x) && x >= 0 && x <= 2*MaxDim {
			return p.fail(fmt.Sprintf("answers with %v numbers, want %d", x, 1+dim))
		}
	}
	if isText(got) {
		return p.fail(fmt.Sprintf("writes text into its answers: %s; prints belong on standard error", quote(got)))
	}
	return p.fail(fmt.Sprintf("answers with bytes that are no frame of %d numbers", 1+dim))
}

// gone is the error of a pipe that could not be written or read.
func (p *Process) gone(ctx context.Context, err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) && ctx.Err() != nil {
		return ctx.Err()
	}
	where := "before it has answered"
	if p.got > 0 {
		where = fmt.Sprintf("within an answer, after %d of %d bytes", p.got, len(p.answer)-1)
	}
	if what := p.broken(err, where); p.failure() == nil {
		return p.fail(what)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return p.failure()
}

// broken says how the child ended.
func (p *Process) broken(err error, where string) string {
	how := ""
	if p.failure() == nil {
		how = p.exit()
	}
	what := "has ended " + where
	if how != "" {
		what += " (" + how + ")"
	}
	if line := p.said.newest(); line != "" {
		what += ": " + line
	} else if !errors.Is(err, io.EOF) && how == "" {
		what += ": " + err.Error()
	}
	return what
}

// exit waits a moment for the child's own end and says how it was.
func (p *Process) exit() string {
	ended := make(chan struct{})
	go func() {
		p.wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(200 * time.Millisecond):
		return ""
	}
	select {
	case <-p.said.done:
	case <-time.After(200 * time.Millisecond):
	}
	return p.cmd.ProcessState.String()
}

func (p *Process) wait() { p.reap.Do(func() { _ = p.cmd.Wait() }) }

// watch has ctx interrupt what the child is asked from here on.
func (p *Process) watch(ctx context.Context) {
	if p.ctx == ctx {
		return
	}
	if p.stop != nil {
		p.stop()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ctx = ctx
	if p.patient && !p.ended {
		_ = p.in.SetWriteDeadline(time.Time{})
		_ = p.out.SetReadDeadline(time.Time{})
	}
	p.stop = context.AfterFunc(ctx, func() { p.interrupt(ctx) })
}

// interrupt has the child's pipes return at once, or ends it where they cannot.
func (p *Process) interrupt(ctx context.Context) {
	p.mu.Lock()
	mine := p.ctx == ctx && !p.ended
	if mine && p.patient {
		past := time.Unix(1, 0)
		_ = p.in.SetWriteDeadline(past)
		_ = p.out.SetReadDeadline(past)
	}
	p.mu.Unlock()
	if mine && !p.patient {
		p.fail("was interrupted")
	}
}

// fail ends the child for a reason, unless it has ended before, and returns why it has.
func (p *Process) fail(what string) error {
	p.mu.Lock()
	if p.failed == nil {
		p.failed = &Error{p.command.name(), what, p.said.newest()}
	}
	err := p.failed
	p.mu.Unlock()
	p.end()
	return err
}

func (p *Process) failure() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failed == nil { // else it would be an error that holds nil
		return nil
	}
	return p.failed
}

// Close ends the child, with its process group.
func (p *Process) Close() { _ = p.fail("was closed") }

// end ends the process group and closes the pipes.
func (p *Process) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return
	}
	p.ended = true
	p.timer.Stop()
	kill(p.cmd)
	_ = p.in.Close()
	_ = p.out.Close()
	go p.wait()
}

// Running reports whether the child can be asked.
func (p *Process) Running() bool { return p.failure() == nil }

// last copies a standard error and remembers its newest line.
type last struct {
	to   io.Writer // may be nil
	done chan struct{}

	mu   sync.Mutex
	line []byte
	full bool // line is complete
}

const (
	maxLog  = 1 << 20 // bytes of a child's
	maxSaid = 160     // bytes of a line
)

func (l *last) copy(from *os.File) {
	defer close(l.done)
	defer func() { _ = from.Close() }()
	buf := make([]byte, 4096)
	for left := maxLog; ; {
		n, err := from.Read(buf)
		if l.to != nil && left > 0 {
			_, _ = l.to.Write(buf[:min(n, left)])
			left -= n
		}
		l.take(buf[:n])
		if err != nil {
			return
		}
	}
}

// take remembers the newest line that is not blank.
func (l *last) take(b []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range b {
		switch {
		case c == '\n' || c == '\r':
			l.full = true
		case l.full && c != ' ' && c != '\t':
			l.line, l.full = append(l.line[:0], c), false
		case !l.full && len(l.line) < maxSaid:
			l.line = append(l.line, c)
		}
	}
}

func (l *last) newest() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return printable.Line(string(bytes.TrimSpace(l.line)))
}

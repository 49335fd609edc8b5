package class

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	gossh "golang.org/x/crypto/ssh"

	"github.com/psgld/psgld-tui/tui/internal/ptytest"
)

// BenchmarkClass is a class of forty students, each with two lanes on a Gaussian at 2,000 steps
// a second and a screen of 80×24. Half of them follow the lecturer's screen, the others turn ε every
// two seconds. The server is a process of its
// own, and the students are SSH clients in this one over the loopback. It reports of the server
//
//	cores    processors that it keeps busy
//	MB       its resident memory
//	fps      frames a second of the lecturer's screen, 120×40, without the board
//	key-ms   the 95th percentile of the time from a key to its effect on a student's screen
//	steps/s  of a student's lane, the slowest student's
//	load     the machine's load average over a minute
//
// With the board, which is drawn when a number on it has changed, it logs the same.
//
// The goal on two cores is 1.5 cores, 1 GB, 25 frames a second and 100 ms. Nothing fails on
// speed. With -short it is a class of four for some seconds, which shows that it works. With
// PSGLD_TEST_PROFILE=FILE the server writes a profile of its processor's time.
func BenchmarkClass(b *testing.B) {
	students, span := 40, 15*time.Second
	if testing.Short() {
		students, span = 4, 6*time.Second
	}
	for b.Loop() {
		c := holds(b, students)
		board := c.measure(b, max(span/3, 4*time.Second)) // each who steers turns ε at least once in 3
		c.lecturer.Press("esc")
		c.lecturer.See("steps/s")
		own := c.measure(b, span)
		c.end()
		b.ReportMetric(own.cores, "cores")
		b.ReportMetric(own.megabytes, "MB")
		b.ReportMetric(own.fps, "fps")
		b.ReportMetric(own.key.Seconds()*1000, "key-ms")
		b.ReportMetric(own.steps, "steps/s")
		b.ReportMetric(loadAverage(), "load")
		b.ReportMetric(0, "ns/op") // of no interest
		b.Logf("with the board: %+v", board)
		b.Logf("without: %+v", own)
	}
}

// A class is a room in a process of its own, with its lecturer and its students.
type class struct {
	lecturer *ptytest.Terminal
	students []*pupil
}

var (
	joinOnScreen = regexp.MustCompile(`ssh -p (\d+) localhost`)
	codeOnScreen = regexp.MustCompile(`code ([0-9a-z]{4}-[0-9a-z]{4})`)
	stepOnScreen = regexp.MustCompile(`step ([\d,]+)`)
	epsOnScreen  = regexp.MustCompile(`lanes +ε (\d\.\d+)`)
)

// holds begins a class, and waits until all students have their screens.
func holds(b *testing.B, students int) *class {
	b.Helper()
	home := b.TempDir()
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	cmd := exec.Command(self, "class", "--listen", "127.0.0.1:0", "--students", strconv.Itoa(students))
	cmd.Dir, cmd.Env = home, append(os.Environ(), "PSGLD_TEST_AS_PROGRAM=1")
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"} {
		cmd.Env = append(cmd.Env, name+"="+home)
	}
	c := &class{lecturer: ptytest.Start(b, cmd, 120, 40, true)}
	c.lecturer.See("join: ", "code ", "nobody yet")
	shown := c.lecturer.Screen()
	port, code := joinOnScreen.FindStringSubmatch(shown), codeOnScreen.FindStringSubmatch(shown)
	if port == nil || code == nil {
		b.Fatalf("no way in on\n%s", shown)
	}
	n, _ := strconv.Atoi(port[1])
	key, err := HostKey(filepath.Join(home, "psgld-tui", "class_host_key"))
	if err != nil {
		b.Fatal(err)
	}
	room := &Room{Options: Options{Key: key}, Addr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: n}}
	for range students {
		c.students = append(c.students, comes(b, room, code[1]))
	}
	for _, s := range c.students {
		wait(b, func() bool {
			return stepOnScreen.MatchString(s.screen())
		}, func() string { return "no session on\n" + s.screen() })
	}
	c.lecturer.See(fmt.Sprintf("%d of %d here", students, students))
	for i, s := range c.students {
		if s.follows = i%2 == 1; s.follows {
			_, _ = io.WriteString(s.keys, "j")
			wait(b, func() bool {
				return strings.Contains(s.screen(), "your own")
			}, func() string { return "nobody follows on\n" + s.screen() })
		}
	}
	return c
}

// end ends the class and looks at how the program does.
func (c *class) end() {
	c.lecturer.Signal(os.Interrupt)
	c.lecturer.Ended(130)
	for _, s := range c.students {
		s.client.Close()
	}
}

// measured is what a span of a class has shown.
type measured struct {
	cores, megabytes float64
	fps, studentFPS  float64
	followFPS        float64       // of who follows the lecturer
	key, middle      time.Duration // from a key to its effect, the 95th percentile and the median
	unseen, keys     int           // keys without an effect, of all
	steps, meanSteps float64
	kB               float64 // a second to a student
}

// measure lets a class go on for a time.
func (c *class) measure(b *testing.B, span time.Duration) (m measured) {
	b.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), span)
	defer cancel()
	pid := c.lecturer.Cmd.Process.Pid
	frames, used, begin := c.frames(), cpu(b, pid), time.Now()
	var all sync.WaitGroup
	for i, s := range c.students {
		s.record()
		if !s.follows {
			all.Go(func() { s.turns(ctx, rand.New(rand.NewPCG(1, uint64(i)))) })
		}
	}
	<-ctx.Done()
	took := time.Since(begin).Seconds()
	m.cores = (cpu(b, pid) - used).Seconds() / took
	m.fps = float64(c.frames()-frames) / took
	m.megabytes = resident(b, pid)
	all.Wait()
	time.Sleep(time.Second) // the last keys have their effects
	var late []time.Duration
	for i, s := range c.students {
		seen := s.replay()
		m.kB += float64(seen.bytes) / 1000 / took / float64(len(c.students))
		if s.follows {
			m.followFPS += float64(seen.frames) / took / float64(len(c.students)/2)
			continue
		}
		if seen.last == seen.first {
			b.Fatalf("the session of student %d stands still:\n%s", i+1, s.screen())
		}
		steer := float64(len(c.students) - len(c.students)/2)
		steps := float64(seen.last-seen.first) / seen.between.Seconds()
		m.steps, m.meanSteps = min(cmp.Or(m.steps, steps), steps), m.meanSteps+steps/steer
		m.studentFPS += float64(seen.frames) / took / steer
		m.keys += len(s.pressed)
		m.unseen += len(s.pressed) - len(seen.late)
		late = append(late, seen.late...)
	}
	if len(late) == 0 {
		b.Fatal("no key has an effect")
	}
	slices.Sort(late)
	m.key, m.middle = late[len(late)*95/100], late[len(late)/2]
	return m
}

// frames is how many frames the lecturer's terminal was sent so far.
func (c *class) frames() int { return strings.Count(c.lecturer.Raw(), frameEnd) }

// terminalQuestion is what asks whether a terminal has drawn what it was sent.
const terminalQuestion = "\x1b[5n"

// frameEnd is the end of a frame, on a terminal that says that it knows it.
const frameEnd = "\x1b[?2026l"

// A pupil is a student whose terminal costs next to nothing while something is measured: what
// comes is kept with its time, and drawn afterwards.
type pupil struct {
	client  *gossh.Client
	keys    io.Writer
	follows bool // the lecturer's screen

	mu      sync.Mutex
	emu     *vt.Emulator
	keeps   bool // it draws nothing now
	came    []piece
	pressed []time.Time // arrows to the right and to the left in turn
}

// A piece is what came at a time.
type piece struct {
	at   time.Time
	text []byte
}

// comes joins a room.
func comes(b *testing.B, r *Room, code string) *pupil {
	b.Helper()
	c, err := dial(r, code)
	if err != nil {
		b.Fatal(err)
	}
	p := &pupil{client: c, emu: vt.NewEmulator(80, 24)}
	s, err := c.NewSession()
	if err != nil {
		b.Fatal(err)
	}
	if p.keys, err = s.StdinPipe(); err != nil {
		b.Fatal(err)
	}
	s.Stdout = p
	if err := s.RequestPty("xterm-256color", 24, 80, gossh.TerminalModes{}); err != nil {
		b.Fatal(err)
	}
	if err := s.Shell(); err != nil {
		b.Fatal(err)
	}
	answers := make(chan struct{})
	go func() {
		defer close(answers)
		_, _ = io.Copy(p.keys, p.emu)
	}()
	b.Cleanup(func() {
		c.Close()
		p.emu.InputPipe().(io.Closer).Close()
		<-answers
	})
	return p
}

// Write implements io.Writer. It answers a question of the program at once, as a terminal does; the emulator's answer
// is another one, and a terminal without an answer is waited for.
func (p *pupil) Write(text []byte) (int, error) {
	at := time.Now()
	for range strings.Count(string(text), terminalQuestion) {
		_, _ = io.WriteString(p.keys, "\x1b[0n")
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.keeps {
		p.came = append(p.came, piece{at, bytes.Clone(text)})
		return len(text), nil
	}
	return p.emu.Write(text)
}

// screen is what the terminal shows.
func (p *pupil) screen() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.emu.String()
}

// record has what comes be kept from now on.
func (p *pupil) record() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.keeps, p.came, p.pressed = true, nil, nil
}

// turns turns ε to and fro, at times that have nothing to do with those of the frames.
func (p *pupil) turns(ctx context.Context, rng *rand.Rand) {
	for n := 0; ; n++ {
		select {
		case <-time.After(time.Duration((1 + 2*rng.Float64()) * float64(time.Second))):
		case <-ctx.Done():
			return
		}
		p.pressed = append(p.pressed, time.Now())
		if _, err := io.WriteString(p.keys, []string{"\x1b[C", "\x1b[D"}[n%2]); err != nil {
			return
		}
	}
}

// seen is what a student saw of a span.
type seen struct {
	frames, bytes int
	first, last   int // steps
	between       time.Duration
	late          []time.Duration // from keys to their effects
}

// replay draws what was kept, and goes on as before it.
func (p *pupil) replay() (s seen) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.keeps = false
	text := p.emu.String()
	eps := func() string { return strings.Join(epsOnScreen.FindStringSubmatch(text), "") }
	steps := func() int {
		at := stepOnScreen.FindStringSubmatch(text)
		if at == nil {
			return 0
		}
		n, _ := strconv.Atoi(strings.ReplaceAll(at[1], ",", ""))
		return n
	}
	was, next := eps(), 0
	s.first = steps()
	first, last := time.Time{}, time.Time{}
	for i, c := range p.came {
		p.emu.Write(c.text)
		s.bytes += len(c.text)
		s.frames++ // a frame is one write, unless it is long
		ends := i == 0 || i == len(p.came)-1
		awaits := next < len(p.pressed) && c.at.After(p.pressed[next])
		if !ends && !awaits {
			continue
		}
		text = p.emu.String()
		switch {
		case i == 0:
			s.first, first = steps(), c.at
		case ends:
			s.last, last = steps(), c.at
		}
		if now := eps(); awaits && now != "" && now != was {
			s.late = append(s.late, c.at.Sub(p.pressed[next]))
			was = now
			next++
		}
	}
	s.between = last.Sub(first)
	p.came = nil
	return s
}

// ticksPerSecond is what /proc counts in on Linux, whatever the processor.
const ticksPerSecond = 100

// cpu is the processor's time that a process has taken.
func cpu(b *testing.B, pid int) time.Duration {
	b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		b.Fatal(err)
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:])) // from the third on
	user, err := strconv.Atoi(fields[14-3])
	if err != nil {
		b.Fatal(err)
	}
	system, err := strconv.Atoi(fields[15-3])
	if err != nil {
		b.Fatal(err)
	}
	return time.Duration(user+system) * time.Second / ticksPerSecond
}

// resident is the memory that a process has in store, in megabytes.
func resident(b *testing.B, pid int) float64 {
	b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		b.Fatal(err)
	}
	pages, err := strconv.Atoi(strings.Fields(string(text))[1])
	if err != nil {
		b.Fatal(err)
	}
	return float64(pages*os.Getpagesize()) / 1e6
}

// loadAverage is that of the last minute.
func loadAverage() float64 {
	text, _ := os.ReadFile("/proc/loadavg")
	load, _, _ := strings.Cut(string(text), " ")
	f, _ := strconv.ParseFloat(load, 64)
	return f
}

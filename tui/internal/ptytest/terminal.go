//go:build unix

package ptytest

import (
	"io"
	"os"
	"os/exec"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"
)

// A Terminal is a program on a pseudo-terminal, and what it shows.
type Terminal struct {
	*Display
	Cmd *exec.Cmd

	tty      *os.File      // the end of whoever looks and types
	done     chan struct{} // nothing more will be written
	end      chan error    // how the program ended
	graphics []*Kitty
	// cooked are the modes of a terminal that no program has touched.
	cooked    *term.State
	answering sync.WaitGroup
}

// Start starts a program on a terminal of w×h cells, in a session of its own. It has that for its controlling terminal,
// if own is true: then it is told when the terminal closes. It may have graphics.
func Start(t testing.TB, cmd *exec.Cmd, w, h int, own bool, graphics ...*Kitty) *Terminal {
	t.Helper()
	done := make(chan struct{})
	x := &Terminal{Cmd: cmd, Display: NewDisplay(t, w, h, done), done: done, end: make(chan error, 1)}
	tty, slave, err := pty.Open()
	if err != nil {
		t.Skip("no pseudo-terminal: ", err)
	}
	if tty, err = closable(tty); err != nil {
		t.Fatal(err)
	}
	x.tty = tty
	for _, k := range graphics {
		k.Answer = func(s string) { io.WriteString(tty, s) }
	}
	x.graphics = graphics
	if x.cooked, err = lineModes(tty); err != nil {
		t.Fatal(err)
	}
	if err := pty.Setsize(tty, winsize(w, h)); err != nil {
		t.Fatal(err)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: own}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	slave.Close()
	go func() { x.end <- cmd.Wait() }()
	go x.read()
	x.answering.Go(x.answer)
	t.Cleanup(func() {
		cmd.Process.Kill()
		x.HangUp()
	})
	return x
}

// closable is a file that can be closed while it is read, which one that blocks cannot.
func closable(f *os.File) (*os.File, error) {
	defer f.Close()
	syscall.ForkLock.RLock() // so that no other program gets it
	defer syscall.ForkLock.RUnlock()
	fd, err := syscall.Dup(int(f.Fd()))
	if err != nil {
		return nil, err
	}
	syscall.CloseOnExec(fd)
	if err := syscall.SetNonblock(fd, true); err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), f.Name()), nil
}

// winsize is the size of a terminal of w×h cells, each 10×20 pixels.
func winsize(w, h int) *pty.Winsize {
	return &pty.Winsize{Rows: uint16(h), Cols: uint16(w), X: uint16(10 * w), Y: uint16(20 * h)}
}

// lineModes are the modes of a terminal's line. Unlike Fd, it leaves the file one that can be closed while it is read.
func lineModes(f *os.File) (modes *term.State, err error) {
	c, err := f.SyscallConn()
	if err != nil {
		return nil, err
	}
	if lost := c.Control(func(fd uintptr) { modes, err = term.GetState(fd) }); lost != nil {
		return nil, lost
	}
	return modes, err
}

// read takes what the program writes.
func (x *Terminal) read() {
	defer close(x.done)
	b := make([]byte, 1<<16)
	var held []byte // the start of a piece of an image
	for {
		n, err := x.tty.Read(b)
		for _, k := range x.graphics { // first, so that who sees what follows an image sees it
			k.Write(b[:n])
		}
		held = append(held, b[:n]...)
		whole := wholePieces(held)
		x.write(b[:n], held[:whole])
		held = append(held[:0], held[whole:]...)
		if err != nil {
			return
		}
	}
}

// answer writes what the terminal answers to the program's questions.
func (x *Terminal) answer() {
	b := make([]byte, 1<<10)
	for {
		n, err := x.Display.Read(b)
		if err != nil {
			return
		}
		x.tty.Write(b[:n]) // after HangUp nobody hears it
	}
}

// Pieces are the cells that show images: how many, and the first that shows a part that the
// graphics' image does not have, empty if there is none.
func (x *Terminal) Pieces() (n int, wrong string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	return Pieces(x.emu, x.graphics[0])
}

// special are the keys that have names.
var special = map[string]string{
	"left":        "\x1b[D",
	"right":       "\x1b[C",
	"up":          "\x1b[A",
	"down":        "\x1b[B",
	"shift+left":  "\x1b[1;2D",
	"shift+right": "\x1b[1;2C",
	"enter":       "\r",
	"esc":         "\x1b",
	"tab":         "\t",
	"space":       " ",
	"backspace":   "\x7f",
	"ctrl+c":      "\x03",
	"ctrl+z":      "\x1a",
	"home":        "\x1b[H",
	"end":         "\x1b[F",
}

// Press writes what the terminal sends for keys.
func (x *Terminal) Press(keys ...string) {
	x.t.Helper()
	x.Typed()
	for _, k := range keys {
		if s, ok := special[k]; ok {
			k = s
		}
		if _, err := io.WriteString(x.tty, k); err != nil {
			x.t.Fatal(err)
		}
	}
}

// Type writes a text letter by letter, and enter.
func (x *Terminal) Type(text string) {
	x.t.Helper()
	x.Press(append(strings.Split(text, ""), "enter")...)
}

// Resize gives the terminal another size. What is seen next was drawn for it, after what comes late of the program,
// which it has sent before it knew.
func (x *Terminal) Resize(w, h int, late ...string) {
	x.t.Helper()
	x.Sized(w, h, true)
	for _, s := range late {
		_, _ = x.Write([]byte(s))
	}
	if err := pty.Setsize(x.tty, winsize(w, h)); err != nil {
		x.t.Fatal(err)
	}
}

// Signal sends the program a signal.
func (x *Terminal) Signal(s os.Signal) {
	x.t.Helper()
	if err := x.Cmd.Process.Signal(s); err != nil {
		x.t.Fatal(err)
	}
}

// HangUp closes the terminal, as closing its window does.
func (x *Terminal) HangUp() {
	x.tty.Close()
	<-x.done
	x.Close()
	x.answering.Wait()
}

// Ended waits as Gone does, and checks the program's exit status.
func (x *Terminal) Ended(status int) {
	x.t.Helper()
	x.Gone()
	if got := x.Cmd.ProcessState.ExitCode(); got != status {
		x.t.Errorf("exit status %d (%v), want %d; the screen:\n%s", got, x.Cmd.ProcessState, status, x.Screen())
	}
}

// Gone waits for the program and for all that it wrote.
func (x *Terminal) Gone() {
	x.t.Helper()
	late := time.After(Patience)
	select {
	case <-x.end:
	case <-late:
		x.t.Fatalf("the program did not end; its screen:\n%s", x.Screen())
	}
	select {
	case <-x.done:
	case <-late:
		x.t.Fatalf("the terminal is not left; its screen:\n%s", x.Screen())
	}
}

// modes are what programs turn on, and how they turn it off: reports of the mouse
// and the focus, bracketed paste, and other codes for keys.
var modes = map[string]string{
	"\x1b[?1000h": "\x1b[?1000l",
	"\x1b[?1002h": "\x1b[?1002l",
	"\x1b[?1003h": "\x1b[?1003l",
	"\x1b[?1004h": "\x1b[?1004l",
	"\x1b[?1006h": "\x1b[?1006l",
	"\x1b[?2004h": "\x1b[?2004l", "\x1b[?2026h": "\x1b[?2026l", "\x1b[?2027h": "\x1b[?2027l",
	"\x1b[?1049h": "\x1b[?1049l", "\x1b[?25l": "\x1b[?25h", "\x1b[>4;2m": "\x1b[>4m",
}

// pushed and popped are how programs ask for other codes for keys that terminals
// keep a stack of, and how they put them back.
var (
	pushed = regexp.MustCompile("\x1b\\[>[0-9]*u")
	popped = regexp.MustCompile("\x1b\\[<[0-9]*u")
)

// Ends waits for the program, and checks its exit status, what it printed last and that the terminal is as it was.
func (x *Terminal) Ends(status int, texts ...string) {
	x.t.Helper()
	x.Ended(status)
	x.See(texts...)
	x.AsBefore()
}

// AsBefore checks that the terminal is as no program has touched it: the normal screen,
// a visible cursor, no mode left on, and the line discipline untouched.
func (x *Terminal) AsBefore() {
	x.t.Helper()
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.emu.IsAltScreen() {
		x.t.Error("the alternate screen is left on")
	}
	if !x.show {
		x.t.Error("the cursor is left hidden")
	}
	if now, err := lineModes(x.tty); err != nil || !reflect.DeepEqual(now, x.cooked) {
		x.t.Errorf("the terminal's modes are %+v (%v), want %+v as before", now, err, x.cooked)
	}
	raw := string(x.raw)
	for on, off := range modes {
		if strings.LastIndex(raw, on) > strings.LastIndex(raw, off) {
			x.t.Errorf("mode %q is left on", on)
		}
	}
	if up, down := len(pushed.FindAllString(raw, -1)), len(popped.FindAllString(raw, -1)); up > down {
		x.t.Errorf("the keyboard's codes were changed %d times and put back %d times", up, down)
	}
}

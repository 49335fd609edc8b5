package class

import (
	"cmp"
	"context"
	cryptorand "crypto/rand"
	"crypto/subtle"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/ssh"
	"github.com/Gaurav-Gosain/sip"
	"golang.org/x/term"

	"github.com/psgld/psgld-tui/engine/tool/caught"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/printable"
	"github.com/psgld/psgld-tui/tui/class/hush"
)

func init() { hush.Over() }

// A Web is where a room listens for browsers. The zero value is none.
type Web struct {
	Addr string           // HOST:PORT, with a port; without a host all networks
	TLS  *tls.Certificate // nil for none; then the host is the loopback
	// Names are those by which browsers may ask for the page beside its address, those of this machine and
	// those of the certificate.
	Names []string
}

// What sip's page sends in one message at most, of a paste. What is longer is dropped.
const pageMessage = 64 << 10

// serve serves a room's web door until ctx ends, and closes r.webbed then. What can be wrong with
// the address is found before.
func (r *Room) serve(ctx context.Context) error {
	l, err := net.Listen("tcp", r.Web.Addr)
	if err != nil {
		return fmt.Errorf("the room's web: %w", err)
	}
	inner, err := net.Listen("tcp", "127.0.0.1:0") // for a port that is free
	if err != nil {
		_ = l.Close()
		return fmt.Errorf("the room's web: %w", err)
	}
	_ = inner.Close()
	at := inner.Addr().(*net.TCPAddr)
	ctx, stop := context.WithCancel(ctx)
	r.gate = newGate(ctx, l, r.Web, at.String(), r.Students)
	// Nothing that happens is worth a line on the lecturer's screen.
	sip.SetLogLevel(math.MaxInt32)
	// sip would offer HTTP/3 on the UDP port above its own, which its page does without. A socket that holds
	// the port and is connected to nothing has the system refuse what comes.
	const discard = 9
	above, nobody := &net.UDPAddr{IP: at.IP, Port: at.Port + 1}, &net.UDPAddr{IP: at.IP, Port: discard}
	if c, err := net.DialUDP("udp", above, nobody); err == nil {
		context.AfterFunc(ctx, func() { _ = c.Close() })
	}
	server := sip.NewServer(sip.Config{
		Host: at.IP.String(), Port: strconv.Itoa(at.Port), MaxPasteBytes: pageMessage, InitialResizeTimeout: greeting,
		ResizeThrottle:    1, // none: sip's can put an older size after a newer one
		ConnectMiddleware: []sip.ConnectMiddleware{r.visit}, SessionMiddleware: []sip.SessionMiddleware{pipes},
	})
	passed := make(chan struct{})
	go func() {
		defer close(passed)
		r.gate.serve()
	}()
	go func() {
		defer close(r.webbed)
		defer func() { <-passed }()
		defer stop() // whoever has the port that sip does not get is not shown to students
		if err := server.ServeWithProgram(ctx, r.welcome); ctx.Err() == nil {
			r.locked(func() { r.told.Web = cmp.Or(err, errPage) })
		}
	}()
	return nil
}

// errPage is why there is no page where its server does not say.
var errPage = errors.New("its server has ended")

// visitKey is where the context of a browser's connection has its *visit.
type visitKey struct{}

// A visit is a browser's connection: two pipes between sip and a student's screen. The
// pseudo-terminal that sip has for each stays unused.
type visit struct {
	io.ReadWriter // the ends for the screen, which writes lines as for a pseudo-terminal
	from          netip.Addr
	uncount       func() // no longer counts it among those without a seat
	keys          *io.PipeReader
	typed         *io.PipeWriter
	screen        *io.PipeWriter
	drawn         *io.PipeReader
}

// end ends both pipes. sip then tells the page that the session has ended.
func (v *visit) end() {
	_ = v.keys.Close()
	_ = v.screen.Close()
}

// visit takes a browser's connection.
func (r *Room) visit(next sip.ConnectHandler) sip.ConnectHandler {
	return func(req *http.Request) error {
		pass, from, _ := strings.Cut(req.Header.Get(passHeader), " ")
		// it came past the gate, such as by HTTP/3
		if subtle.ConstantTimeCompare([]byte(pass), []byte(r.gate.pass)) == 0 {
			return &sip.ConnectError{Status: http.StatusNotFound}
		}
		v := &visit{from: netip.MustParseAddr(from)}
		v.keys, v.typed = io.Pipe()
		v.drawn, v.screen = io.Pipe()
		v.ReadWriter = ssh.NewPtyReadWriter(struct {
			io.Reader
			io.Writer
		}{v.keys, v.screen})
		v.uncount, _ = r.door.waiting.admit(v.from, v.end)
		context.AfterFunc(req.Context(), v.uncount)
		return next(req.WithContext(context.WithValue(req.Context(), visitKey{}, v)))
	}
}

// piped is a session of sip's by way of a visit's pipes.
type piped struct {
	sip.SessionIO
	visit *visit
}

func (p piped) OutputReader() io.Reader { return p.visit.drawn }
func (p piped) InputWriter() io.Writer  { return p.visit.typed }

func pipes(s sip.SessionIO) sip.SessionIO {
	return piped{s, s.Context().Value(visitKey{}).(*visit)}
}

// welcome asks a browser's visitor for the code and gives them a seat. sip runs the program that
// it returns, which lasts as long as that does.
func (r *Room) welcome(s sip.Session) *tea.Program {
	if !r.enter() {
		return nil // sip cuts the line
	}
	over := make(chan struct{})
	go func() {
		defer r.inside.Done()
		defer close(over)
		v := s.Context().Value(visitKey{}).(*visit)
		defer v.end()
		_ = caught.In("a browser's session", func() { r.host(s, v) }) // a panic ends that one
		select {
		case <-time.After(lastPicture):
		case <-s.Context().Done():
		}
	}()
	return tea.NewProgram(until{over}, tea.WithInput(nil), tea.WithOutput(io.Discard), tea.WithEnvironment([]string{}),
		tea.WithoutRenderer(), tea.WithoutSignalHandler())
}

// lastPicture is how long a page has to draw what came last before it is told that the line has
// ended. It writes that at once, and else on a screen that is about to be left.
const lastPicture = 300 * time.Millisecond

// enter reports whether the class goes on. Its end then waits for r.inside.
func (r *Room) enter() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.ended {
		r.inside.Add(1)
	}
	return !r.ended
}

// until is a program that does nothing until a channel is closed.
type until struct{ over <-chan struct{} }

func (u until) Init() tea.Cmd {
	return func() tea.Msg {
		<-u.over
		return tea.Quit()
	}
}

func (u until) Update(tea.Msg) (tea.Model, tea.Cmd) { return u, nil }
func (until) View() tea.View                        { return tea.View{} }

// host is with a visitor until they leave.
func (r *Room) host(s sip.Session, v *visit) {
	ctx, cancel := context.WithTimeout(s.Context(), lasting)
	defer cancel()
	defer context.AfterFunc(ctx, v.end)()
	size := func() tea.WindowSizeMsg {
		p := s.Pty()
		return bounded(p.Width, p.Height)
	}
	key, err := r.askWeb(ctx, v, size())
	if err != nil {
		if !errors.Is(err, io.EOF) {
			_, _ = io.WriteString(v, "\r\n"+printable.Line("psgld-tui class: "+err.Error())+"\r\n")
		}
		return
	}
	sizes := make(chan tea.WindowSizeMsg)
	go func() {
		for {
			select {
			case <-s.WindowChanges():
			case <-ctx.Done():
				return
			}
			select {
			case sizes <- size(): // the newest, which sip need not have sent
			case <-ctx.Done():
				return
			}
		}
	}()
	r.attend(ctx, &visitor{ReadWriter: v, size: size(), sizes: sizes,
		term: []string{"TERM=xterm-256color", "COLORTERM=truecolor"}, key: key, from: v.from, cut: v.end})
}

// codeTries is how many codes a connection may try.
const codeTries = 3

var (
	errWrong = errors.New("that is not the code, or there were too many tries")
	errLate  = errors.New("the code was not given in time")
)

// reset is the sequence by which a terminal is as new. What a page shows that has lost its line is gone then.
const reset = "\x1bc"

// askWeb asks for the code, and which of the seats is the visitor's that were lost from where they
// are. It returns the key of the visitor's seat. The error is io.EOF if the visitor has left.
func (r *Room) askWeb(ctx context.Context, v *visit, size tea.WindowSizeMsg) (key string, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, answering, errLate)
	defer cancel()
	ctx, end := context.WithCancelCause(ctx)
	defer end(io.EOF)
	defer context.AfterFunc(r.ctx, func() { end(errOver) })()
	defer context.AfterFunc(ctx, func() { _ = v.typed.CloseWithError(context.Cause(ctx)) })()
	out := newSender(ctx, v)
	if _, err := io.WriteString(out, reset+codeIsOn+"\r\n"); err != nil {
		return "", io.EOF
	}
	t := term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{newReceiver(ctx, v), out}, "code: ")
	_ = t.SetSize(size.Width, size.Height) // it never fails
	for try := 1; ; try++ {
		given, err := t.ReadLine()
		switch {
		case err != nil && !errors.Is(err, term.ErrPasteIndicator):
			return "", err
		case r.door.right(ctx, v.from, given):
			v.uncount()
			return r.askSeat(t, v.from)
		case try == codeTries:
			return "", errWrong
		}
		_, _ = io.WriteString(t, errWrong.Error()+"\n") // what is wrong with the line comes at the next read
	}
}

// askSeat asks which of the seats is the visitor's that were lost from an address, if there are any.
func (r *Room) askSeat(t *term.Terminal, from netip.Addr) (key string, err error) {
	lost := r.lostFrom(webFrom + from.String())
	if len(lost) > 0 {
		numbers := list.Map(lost, func(s *Seat) string { return strconv.Itoa(s.Number) })
		_, _ = fmt.Fprintf(t, "The line of student %s was lost. Which is yours? Enter without a number gives a new seat.\n",
			strings.Join(numbers, ", "))
		t.SetPrompt("student: ")
		given, err := t.ReadLine()
		if err != nil && !errors.Is(err, term.ErrPasteIndicator) {
			return "", err
		}
		if i := slices.Index(numbers, strings.TrimLeft(strings.TrimSpace(given), "0")); i >= 0 {
			return lost[i].key, nil
		}
	}
	return webFrom + from.String() + " " + cryptorand.Text(), nil
}

// webFrom begins what the seats of a browser's address are found by.
const webFrom = "web "

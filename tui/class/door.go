package class

import (
	"context"
	"crypto/ed25519"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/ssh"
	"charm.land/wish/v2"
	gossh "golang.org/x/crypto/ssh"

	"github.com/psgld/psgld-tui/engine/tool/atomicfile"
	"github.com/psgld/psgld-tui/targets/tool/regular"
)

// How long a connection may take before it says what it wants, before it has given the code, and altogether.
const (
	greeting  = 10 * time.Second
	answering = 60 * time.Second
	lasting   = 12 * time.Hour
)

// Connections beside those of the students: from one address, since those of a room may all come from one, and in all.
const fromAddress, inAll = 8, 32

// The sizes of a student's terminal. A larger one is not filled.
const (
	leastWidth, leastHeight = 10, 3
	mostWidth, mostHeight   = 300, 100
)

// A door is the server of a room. It lets in who has the code, and gives them a terminal and nothing else.
type door struct {
	*ssh.Server
	room     *Room
	attempts attempts
	delay    time.Duration // of an attempt beyond them

	waiting crowd // connections without a seat

	lines  sync.Map // each *line that is open
	closed atomic.Bool
}

// lineKey is where a connection's context has its *line.
type lineKey struct{}

// A line is a connection.
type line struct {
	slow
	door  *door
	late  *time.Timer            // closes it
	sizes chan tea.WindowSizeMsg // the newest
	taken atomic.Bool            // a session was opened
	tries int                    // how often the code was asked
	shut  context.CancelFunc     // ends its ctx
}

func newDoor(r *Room) *door {
	d := &door{room: r, attempts: attempts{limit: codesOfAddress}, delay: delay,
		waiting: crowd{ofAddress: r.Students + fromAddress, inAll: r.Students + inAll}}
	prove := []ssh.Option{
		wish.WithPasswordAuth(func(ctx ssh.Context, given string) bool {
			return d.right(ctx, address(ctx.RemoteAddr().String()), given)
		}),
		wish.WithKeyboardInteractiveAuth(d.ask),
	}
	if len(r.Keys) > 0 {
		prove = []ssh.Option{wish.WithPublicKeyAuth(d.known)}
	}
	s, err := wish.NewServer(append(prove,
		func(s *ssh.Server) error { s.AddHostKey(r.Key); return nil },
		wish.WithVersion("psgld-tui"),
		wish.WithBannerHandler(d.greet),
		wish.WithMaxTimeout(lasting),
		ssh.WrapConn(d.knock),
		ssh.EmulatePty(),
		wish.WithMiddleware(func(ssh.Handler) ssh.Handler { return r.sit }),
	)...)
	if err != nil {
		panic("class: " + err.Error()) // an option that is wrong
	}
	s.ServerConfigCallback = func(ssh.Context) *gossh.ServerConfig { return &gossh.ServerConfig{MaxAuthTries: 6} }
	// What is not listed here is refused: other channels such as forwarded ports, subsystems
	// such as sftp, and requests of a connection such as to forward ports back.
	s.ChannelHandlers = map[string]ssh.ChannelHandler{"session": enter}
	s.SubsystemHandlers = map[string]ssh.SubsystemHandler{}
	s.RequestHandlers = map[string]ssh.RequestHandler{}
	d.Server = s
	return d
}

// address is that of a remote HOST:PORT, of IPv6 that of its network.
func address(remote string) netip.Addr {
	port, err := netip.ParseAddrPort(remote)
	if err != nil {
		return netip.Addr{}
	}
	ip := port.Addr().Unmap().WithZone("")
	if ip.Is6() {
		net, _ := ip.Prefix(64) // which any has
		return net.Addr()
	}
	return ip
}

// knock takes a connection, or nil once the door is closed.
func (d *door) knock(ctx ssh.Context, c net.Conn) net.Conn {
	l := &line{slow: slow{Conn: c, rate: rate{perSecond: rawIn}}, door: d, sizes: make(chan tea.WindowSizeMsg, 1)}
	l.ctx, l.shut = context.WithCancel(context.Background())
	cut := func() { _ = l.Conn.Close() } // of which the server learns
	l.late = time.AfterFunc(greeting, cut)
	l.uncount, _ = d.waiting.admit(address(c.RemoteAddr().String()), cut)
	if d.lines.Store(l, nil); d.closed.Load() {
		_ = l.Close()
		return nil
	}
	ctx.SetValue(lineKey{}, l)
	return l
}

// rawIn is how many bytes of SSH a line reads a second.
const rawIn = 64 << 10

func (l *line) Close() error {
	l.late.Stop()
	l.shut()
	l.door.lines.Delete(l)
	return l.slow.Close()
}

// codeIsOn says where the code is.
const codeIsOn = "psgld-tui class: the code is on the lecturer's screen."

// greet is called when a client has exchanged keys.
func (d *door) greet(ctx ssh.Context) string {
	if l, ok := ctx.Value(lineKey{}).(*line); ok {
		l.late.Reset(answering)
	}
	if len(d.room.Keys) > 0 {
		return "psgld-tui class: the lecturer has a list of those who come in.\n"
	}
	return codeIsOn + "\n"
}

// known reports whether a key is one of those that are let in.
func (d *door) known(_ ssh.Context, key ssh.PublicKey) bool {
	return slices.ContainsFunc(d.room.Keys, func(k gossh.PublicKey) bool { return ssh.KeysEqual(k, key) })
}

// ask asks for the code.
func (d *door) ask(ctx ssh.Context, ask gossh.KeyboardInteractiveChallenge) bool {
	what := ""
	if l, ok := ctx.Value(lineKey{}).(*line); ok {
		if l.tries++; l.tries > 1 {
			what = errWrong.Error()
		}
	}
	given, err := ask("", what, []string{"code: "}, []bool{true})
	return err == nil && len(given) == 1 && d.right(ctx, address(ctx.RemoteAddr().String()), given[0])
}

// right reports whether a code from an address is right. Wrong ones alone use up the address's attempts.
// Where none is left the answer comes late, to a right code too, since one at once would tell the others
// apart. Nobody is refused for what others have tried.
func (d *door) right(ctx context.Context, from netip.Addr, given string) bool {
	right := same(given, d.room.Code)
	if !d.attempts.try(from, time.Now(), !right) {
		d.room.locked(func() { d.room.told.Held++ })
		select {
		case <-time.After(d.delay):
		case <-ctx.Done():
			return false
		}
	}
	if !right {
		d.room.locked(func() { d.room.told.Wrong++ })
	}
	return right
}

// enter takes a session's channel, the only one of its connection, and hands on what a terminal needs of its requests.
func enter(srv *ssh.Server, conn *gossh.ServerConn, offered gossh.NewChannel, ctx ssh.Context) {
	l, ok := ctx.Value(lineKey{}).(*line)
	if !ok || !l.taken.CompareAndSwap(false, true) {
		_ = offered.Reject(gossh.Prohibited, "one terminal a connection")
		return
	}
	ssh.DefaultSessionHandler(srv, conn, screened{offered, l}, ctx)
}

// screened is a channel of which a few requests alone get through.
type screened struct {
	gossh.NewChannel
	line *line
}

func (s screened) Accept() (gossh.Channel, <-chan *gossh.Request, error) {
	c, all, err := s.NewChannel.Accept()
	if err != nil {
		return nil, nil, err
	}
	some := make(chan *gossh.Request)
	go func() {
		defer close(some)
		terminal, shell := false, false
		for req := range all {
			switch {
			case req.Type == "pty-req" && !terminal && plainTerminal(req.Payload):
				terminal = true
				some <- req
			case req.Type == "shell" && terminal && !shell:
				shell = true
				some <- req
			case req.Type == "window-change" && terminal:
				_ = req.Reply(s.line.resize(req.Payload), nil)
			default:
				_ = req.Reply(false, nil)
			}
		}
	}()
	return c, some, nil
}

// ofTerminals are the characters of the names of terminals.
const ofTerminals = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.+_-"

// plainTerminal reports whether a request for a terminal has a plain name for it.
func plainTerminal(payload []byte) bool {
	var asked struct {
		Term           string
		W, H, PxW, PxH uint32
		Modes          string
	}
	return gossh.Unmarshal(payload, &asked) == nil && asked.Term != "" && len(asked.Term) <= 64 &&
		strings.Trim(asked.Term, ofTerminals) == ""
}

// resize keeps the newest size of a terminal.
func (l *line) resize(payload []byte) bool {
	var size struct{ W, H, PxW, PxH uint32 }
	if gossh.Unmarshal(payload, &size) != nil {
		return false
	}
	newest(l.sizes, bounded(int(size.W), int(size.H)))
	return true
}

// bounded is a size within bounds.
func bounded(w, h int) tea.WindowSizeMsg {
	return tea.WindowSizeMsg{Width: min(max(w, leastWidth), mostWidth), Height: min(max(h, leastHeight), mostHeight)}
}

// A line is alive whose client answers within so long to what it is asked so often.
const askEvery, answersWithin = 15 * time.Second, 30 * time.Second

// watch cuts a line whose client no longer answers, as one without a network does.
func (l *line) watch(s ssh.Session) {
	t := time.NewTicker(askEvery)
	defer t.Stop()
	for {
		select {
		case <-t.C:
		case <-l.ctx.Done():
			return
		}
		late := time.AfterFunc(answersWithin, func() { _ = l.Close() })
		_, err := s.SendRequest("keepalive@openssh.com", true, nil)
		late.Stop()
		if err != nil {
			return
		}
	}
}

// end closes the door: nobody comes in any more, and the lines are cut, also those that the server does not know yet.
// Its Shutdown would wait for those that are on their way, and panics if another comes meanwhile.
func (d *door) end() {
	_ = d.Close()
	d.closed.Store(true)
	d.lines.Range(func(l, _ any) bool { _ = l.(*line).Close(); return true })
}

// mostKey bounds the bytes of a file of a key or a certificate.
const mostKey = 1 << 20

// HostKey reads the private key by which a room is known from a file. If there is none, it makes one and writes it, for
// its owner alone. A file that others can read is refused, since a room with its key can be imitated.
func HostKey(path string) (gossh.Signer, error) {
	text, err := regular.Read(path, mostKey)
	if errors.Is(err, fs.ErrNotExist) {
		text, err = newKey(path)
	}
	if err != nil {
		return nil, fmt.Errorf("the room's host key: %w", err)
	}
	if info, err := os.Stat(path); err == nil && info.Mode().Perm()&0o077 != 0 && ownedByMode {
		return nil, fmt.Errorf("the room's host key: others can read %s; chmod 600 keeps it from them", path)
	}
	key, err := gossh.ParsePrivateKey(text)
	if err != nil {
		return nil, fmt.Errorf("the room's host key: %s holds none: %w", path, err)
	}
	return key, nil
}

// ownedByMode says that a file's mode tells who can read it.
const ownedByMode = runtime.GOOS != "windows"

// newKey writes a new Ed25519 key. Of two rooms that begin at once both have the one that was there first.
func newKey(path string) ([]byte, error) {
	_, private, _ := ed25519.GenerateKey(nil) // it never fails
	block, err := gossh.MarshalPrivateKey(private, "psgld-tui class")
	if err != nil {
		return nil, err
	}
	text := pem.EncodeToMemory(block)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	if err = atomicfile.New(path, text); errors.Is(err, fs.ErrExist) {
		return regular.Read(path, mostKey)
	}
	return text, err
}

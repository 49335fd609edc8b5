package class

import (
	"context"
	"errors"
	"io"
	"net"
	"net/netip"
	"sync"
	"time"
)

// A crowd counts connections: so many of one address at most, and so many in all.
type crowd struct {
	ofAddress, inAll int

	mu   sync.Mutex
	from map[netip.Addr]int
	all  int
}

// admit counts a connection from an address until uncount is called, which may be called more than
// once. It reports whether there are not too many.
func (c *crowd) admit(from netip.Addr) (uncount func(), ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.from[from] >= c.ofAddress || c.all >= c.inAll {
		return nil, false
	}
	if c.from == nil {
		c.from = map[netip.Addr]int{}
	}
	c.from[from]++
	c.all++
	return sync.OnceFunc(func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.all--
		if c.from[from]--; c.from[from] == 0 {
			delete(c.from, from)
		}
	}), true
}

// A gate is where the page of a room is reached. It counts connections, and passes on to sip what
// comes, which listens on the loopback alone and counts none.
type gate struct {
	listen net.Listener
	to     string // where sip listens
	crowd  crowd
	inside sync.WaitGroup
	from   sync.Map // where a connection is from, a netip.Addr by the address that sip knows
}

// perPage is how many connections a browser has at once, for scripts and fonts.
const perPage = 8

func newGate(l net.Listener, to string, students int) *gate {
	most := perPage*students + inAll
	return &gate{listen: l, to: to, crowd: crowd{ofAddress: most, inAll: most}}
}

// serve passes connections on until ctx ends, and returns when all are closed.
func (g *gate) serve(ctx context.Context) {
	defer context.AfterFunc(ctx, func() { _ = g.listen.Close() })()
	for {
		c, err := g.listen.Accept()
		switch {
		case err == nil:
			g.inside.Go(func() { g.pass(ctx, c) })
		case errors.Is(err, net.ErrClosed):
			g.inside.Wait()
			return
		default: // such as too many open files
			time.Sleep(10 * time.Millisecond)
		}
	}
}

// pass passes a connection on until either end closes it.
func (g *gate) pass(ctx context.Context, c net.Conn) {
	defer c.Close()
	from := address(c.RemoteAddr().String())
	uncount, ok := g.crowd.admit(from)
	if !ok {
		return
	}
	defer uncount()
	in := g.dial(ctx)
	if in == nil {
		return
	}
	defer in.Close()
	defer context.AfterFunc(ctx, func() { _, _ = c.Close(), in.Close() })()
	as := in.LocalAddr().String()
	g.from.Store(as, from)
	defer g.from.Delete(as)
	g.inside.Go(func() {
		_, _ = io.Copy(in, &slow{c, ctx, rate{perSecond: rawIn}})
		_ = in.(*net.TCPConn).CloseWrite()
	})
	_, _ = io.Copy(c, in)
}

// begins is how long sip may take until it listens.
const begins = 5 * time.Second

// dial connects to sip; nil if that does not listen.
func (g *gate) dial(ctx context.Context) net.Conn {
	for end := time.Now().Add(begins); ctx.Err() == nil; time.Sleep(5 * time.Millisecond) {
		if in, err := net.Dial("tcp", g.to); err == nil {
			return in
		} else if time.Now().After(end) {
			break
		}
	}
	return nil
}

// address is where a connection is from that sip knows by another address.
func (g *gate) address(remote string) netip.Addr {
	from, _ := g.from.Load(remote)
	at, _ := from.(netip.Addr)
	return at
}

// slow is a connection that is read no faster than a rate.
type slow struct {
	net.Conn
	ctx  context.Context
	rate rate
}

// Read implements net.Conn.
func (s *slow) Read(b []byte) (int, error) {
	n, err := s.Conn.Read(b)
	s.rate.wait(s.ctx, n)
	return n, err
}

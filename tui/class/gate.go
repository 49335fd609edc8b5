package class

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"crypto/tls"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httputil"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/psgld/psgld-tui/tui/grammar"
)

// A crowd counts connections: so many of one address at most, and so many in all.
type crowd struct {
	ofAddress, inAll int

	mu  sync.Mutex
	all []*member // in the order in which they came
}

// A member of a crowd is a connection from an address, which cut closes; nil for one that stays.
type member struct {
	from netip.Addr
	cut  func()
}

// admit counts a connection until uncount is called, which may be called more than once. Where there are too many, it
// cuts the one that has been there longest, of the address that has the most. It reports whether there is room.
func (c *crowd) admit(from netip.Addr, cut func()) (uncount func(), ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	of, most := map[netip.Addr]int{}, from
	for _, m := range c.all {
		if of[m.from]++; of[m.from] > of[most] {
			most = m.from
		}
	}
	if of[from] >= c.ofAddress {
		most = from
	}
	if of[from] >= c.ofAddress || len(c.all) >= c.inAll {
		i := slices.IndexFunc(c.all, func(m *member) bool { return m.from == most && m.cut != nil })
		if i < 0 {
			return nil, false
		}
		go c.all[i].cut()
		c.all = slices.Delete(c.all, i, i+1)
	}
	m := &member{from, cut}
	c.all = append(c.all, m)
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.all = slices.DeleteFunc(c.all, func(o *member) bool { return o == m })
	}, true
}

// A gate is where the page of a room is reached. It counts connections, knows the names by which the
// page may be asked for, and passes on to sip what comes, which listens on the loopback alone.
type gate struct {
	net.Listener
	tls    *tls.Certificate // nil for none
	names  []string
	to     string // where sip listens
	pass   string // what tells sip's middleware that a request comes from here
	crowd  crowd
	ctx    context.Context
	proxy  httputil.ReverseProxy
	inside sync.WaitGroup
}

// perPage is how many connections a browser has at once, for scripts and fonts.
const perPage = 8

func newGate(ctx context.Context, l net.Listener, w Web, to string, students int) *gate {
	most := perPage*students + inAll
	own, _, _ := net.SplitHostPort(w.Addr)
	g := &gate{Listener: l, tls: w.TLS, names: append([]string{"localhost", own}, w.Names...), to: to,
		pass: rand.Text(), crowd: crowd{ofAddress: most, inAll: most}, ctx: ctx}
	g.proxy = httputil.ReverseProxy{
		Rewrite: func(p *httputil.ProxyRequest) {
			p.SetURL(&url.URL{Scheme: "http", Host: to})
			p.Out.Host = p.In.Host // by which sip judges an Origin
			p.Out.Header.Set(passHeader, g.pass+" "+address(p.In.RemoteAddr).String())
		},
		ModifyResponse: titled,
		Transport:      &http.Transport{DisableKeepAlives: true, DisableCompression: true},
		ErrorLog:       log.New(io.Discard, "", 0), // nothing is worth a line on the lecturer's screen
	}
	return g
}

// titled gives sip's page the program's title.
func titled(r *http.Response) error {
	if !strings.HasPrefix(r.Header.Get("Content-Type"), "text/html") {
		return nil
	}
	page, err := io.ReadAll(r.Body)
	_ = r.Body.Close()
	page = bytes.Replace(page, []byte("<title>Sip<"), []byte("<title>"+grammar.Program+"<"), 1)
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(page)), int64(len(page))
	r.Header.Set("Content-Length", strconv.Itoa(len(page)))
	return err
}

// passHeader is the header of a request to sip with the gate's pass and the address that it is from.
const passHeader = "X-Psgld-From"

// serve passes requests on, once sip listens, until its ctx ends. It returns when all connections are closed.
func (g *gate) serve() {
	for g.ctx.Err() == nil {
		if c, err := net.Dial("tcp", g.to); err == nil {
			_ = c.Close()
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	server := http.Server{
		Handler: g, ReadTimeout: greeting, MaxHeaderBytes: 16 << 10, ErrorLog: g.proxy.ErrorLog,
		BaseContext: func(net.Listener) context.Context { return g.ctx },
	}
	defer context.AfterFunc(g.ctx, func() { _ = server.Close() })()
	_ = server.Serve(g) // until it is closed
	g.inside.Wait()
}

// Accept implements net.Listener. It closes connections beyond what the crowd admits.
func (g *gate) Accept() (net.Conn, error) {
	for {
		c, err := g.Listener.Accept()
		if err != nil {
			return nil, err
		}
		uncount, ok := g.crowd.admit(address(c.RemoteAddr().String()), nil)
		if !ok {
			_ = c.Close()
			continue
		}
		g.inside.Add(1)
		end := context.AfterFunc(g.ctx, func() { _ = c.Close() })
		s := &slow{c, g.ctx, rate{perSecond: rawIn}, sync.OnceFunc(func() { end(); uncount(); g.inside.Done() })}
		if g.tls == nil {
			return s, nil
		}
		// which nobody closes by half
		return struct{ net.Conn }{tls.Server(s, &tls.Config{Certificates: []tls.Certificate{*g.tls}})}, nil
	}
}

// ServeHTTP implements http.Handler. A page that another site frames, or that is asked for by a name which
// that site has turned to this machine, gets nothing.
func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for name, is := range map[string]string{
		"X-Frame-Options":         "DENY",
		"Content-Security-Policy": "frame-ancestors 'none'",
		"Referrer-Policy":         "no-referrer",
		"X-Content-Type-Options":  "nosniff",
	} {
		w.Header().Set(name, is)
	}
	at, _ := netip.ParseAddrPort(r.Context().Value(http.LocalAddrContextKey).(net.Addr).String())
	if !g.named(r.Host, at.Addr().Unmap().WithZone("")) {
		http.Error(w, "The class has no page of this name. The lecturer can add the name by --web-name.",
			http.StatusForbidden)
		return
	}
	g.proxy.ServeHTTP(w, r)
}

// named reports whether a browser may ask for the page by a Host, of a connection to an address: a name
// that the room was told, that its certificate is for, or that means this machine to everyone.
func (g *gate) named(host string, at netip.Addr) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && (ip.IsLoopback() || ip.Unmap() == at) ||
		host != "" && slices.ContainsFunc(g.names, func(name string) bool { return strings.EqualFold(name, host) }) ||
		g.tls != nil && g.tls.Leaf.VerifyHostname(host) == nil
}

// slow is a connection that is read no faster than a rate, is cut if nobody reads at its other end, and is
// counted until it closes.
type slow struct {
	net.Conn
	ctx     context.Context
	rate    rate
	uncount func()
}

func (s *slow) Read(b []byte) (int, error) {
	n, err := s.Conn.Read(b)
	s.rate.wait(s.ctx, n)
	return n, err
}

func (s *slow) Write(b []byte) (int, error) {
	_ = s.SetWriteDeadline(time.Now().Add(answersWithin))
	return s.Conn.Write(b)
}

func (s *slow) Close() error {
	s.uncount()
	return s.Conn.Close()
}

// alphabet has no characters that are taken for each other.
const alphabet = "23456789abcdefghjkmnpqrstuvwxyz"

// codeLen is how many of them a code has: 31⁸ = 8.5·10¹¹ codes.
const codeLen = 8

// NewCode makes a code at random, such as k7m4-2xqp.
func NewCode() string {
	var b strings.Builder
	for i := range codeLen {
		if i == codeLen/2 {
			b.WriteByte('-')
		}
		n, _ := rand.Int(rand.Reader, big.NewInt(int64(len(alphabet)))) // it never fails
		b.WriteByte(alphabet[n.Int64()])
	}
	return b.String()
}

// plain is a code without what a person may write otherwise.
func plain(code string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == ' ' {
			return -1
		}
		return r
	}, strings.ToLower(code))
}

// mostCode bounds what is looked at of a code that is given.
const mostCode = 64

// same reports whether two codes are the same, in a time that does not depend on where they differ.
func same(given, code string) bool {
	if len(given) > mostCode {
		return false
	}
	a, b := sha256.Sum256([]byte(plain(given))), sha256.Sum256([]byte(plain(code)))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// A bucket holds attempts. One comes back every so often.
type bucket struct {
	left float64
	at   time.Time // when left was so many
}

// take reports whether there is an attempt in a bucket, and takes it out if it counts.
func (b *bucket) take(now time.Time, of limit, counts bool) bool {
	if b.at.IsZero() {
		b.left = float64(of.most)
	} else {
		b.left = min(float64(of.most), b.left+now.Sub(b.at).Seconds()/of.every.Seconds())
	}
	b.at = now
	if b.left < 1 {
		return false
	}
	if counts {
		b.left--
	}
	return true
}

// A limit is so many at once, and one more every so often.
type limit struct {
	most  int
	every time.Duration
}

// codesOfAddress are the wrong codes of an address that are answered without delay.
var codesOfAddress = limit{20, 5 * time.Second}

const delay = 2 * time.Second // of the answer to each beyond them

const mostAddresses = 4096

// attempts bounds how often an address tries something.
type attempts struct {
	limit

	mu        sync.Mutex
	byAddress map[netip.Addr]*bucket
}

// try reports whether an address has an attempt left, and takes it if it counts.
func (a *attempts) try(from netip.Addr, now time.Time, counts bool) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	b := a.byAddress[from]
	if b == nil {
		if len(a.byAddress) >= mostAddresses {
			for old, o := range a.byAddress {
				if now.Sub(o.at) > time.Duration(a.most)*a.every { // it is full again
					delete(a.byAddress, old)
				}
			}
			if len(a.byAddress) >= mostAddresses {
				return false
			}
		}
		if a.byAddress == nil {
			a.byAddress = map[netip.Addr]*bucket{}
		}
		b = new(bucket)
		a.byAddress[from] = b
	}
	return b.take(now, a.limit, counts)
}

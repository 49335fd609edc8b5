package fetch

import (
	"context"
	"errors"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// pipes is a network within the process, so that a synctest bubble sees every
// wait of it and its clock can move.
type pipes struct {
	conns chan net.Conn
	done  chan struct{}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	close(p.done)
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipes"} }

// bubble runs f with a client of handler, on a fake clock.
func bubble(t *testing.T, handler http.HandlerFunc, f func(t *testing.T, c *http.Client)) {
	synctest.Test(t, func(t *testing.T) {
		p := &pipes{make(chan net.Conn), make(chan struct{})}
		server := &http.Server{Handler: handler}
		go server.Serve(p)
		transport := &http.Transport{
			DisableCompression: true,
			DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
				here, there := net.Pipe()
				select {
				case p.conns <- there:
					return here, nil
				case <-ctx.Done():
					return nil, ctx.Err()
				}
			},
		}
		f(t, &http.Client{Transport: transport})
		transport.CloseIdleConnections()
		server.Close()
		synctest.Wait()
	})
}

// A mirror that sends nothing is left after Stall, counted from its last byte.
func TestStalls(t *testing.T) {
	content := noise(3000, 1)
	for name, c := range map[string]struct {
		chunks int // of 1000 bytes, one every 20 s
		took   time.Duration
		want   []string // ranges asked of the good mirror
	}{
		"before the header": {-1, 30 * time.Second, []string{""}},
		"after the header":  {0, 30 * time.Second, []string{""}},
		"after some bytes":  {2, 70 * time.Second, []string{"bytes=2000-"}},
		"slow but steady":   {3, 60 * time.Second, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var asked []string
			handler := func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Host = r.Host; r.Host == "good" {
					asked = append(asked, r.Header.Get("Range"))
					serve(content)(w, r)
					return
				}
				if c.chunks >= 0 {
					w.Header().Set("Content-Length", "3000")
					w.(http.Flusher).Flush()
				}
				for i := range c.chunks {
					time.Sleep(20 * time.Second)
					w.Write(content[1000*i:][:1000])
					w.(http.Flusher).Flush()
				}
				if c.chunks < 3 {
					<-r.Context().Done()
				}
			}
			dir := t.TempDir()
			bubble(t, handler, func(t *testing.T, client *http.Client) {
				k := oneFile(content)
				k.Mirrors = []string{"http://bad/", "http://good/"}
				var reason error
				start := time.Now()
				err := Set(t.Context(), dir, k, Options{Client: client, Progress: func(p Progress) {
					if p.Err != nil {
						reason = p.Err
					}
				}})
				if err != nil {
					t.Fatal(err)
				}
				if took := time.Since(start); took != c.took {
					t.Errorf("took %v, want %v", took, c.took)
				}
				if stalled := c.chunks < 3; stalled != (reason != nil) ||
					(stalled && reason.Error() != "sends nothing for 30s") {
					t.Errorf("reason %v", reason)
				}
				if !slices.Equal(asked, c.want) {
					t.Errorf("asked for %q, want %q", asked, c.want)
				}
			})
			holdContent(t, dir, "file", content)
		})
	}
}

// The pauses between rounds double: 1 s and 2 s, and none after the last.
func TestBacksOff(t *testing.T) {
	var at []time.Duration
	var start time.Time
	handler := func(w http.ResponseWriter, r *http.Request) {
		at = append(at, time.Since(start))
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	dir := t.TempDir()
	bubble(t, handler, func(t *testing.T, client *http.Client) {
		start = time.Now()
		k := oneFile(noise(10, 1))
		k.Mirrors = []string{"http://busy/"}
		waits := 0
		err := Set(t.Context(), dir, k, Options{Client: client, Progress: func(p Progress) {
			if p.Stage == Waiting {
				waits++
			}
		}})
		if err == nil || err.Error() != "cannot fetch file: busy: 503 Service Unavailable" {
			t.Errorf("error %v", err)
		}
		if want := []time.Duration{0, time.Second, 3 * time.Second}; !slices.Equal(at, want) || waits != 2 ||
			time.Since(start) != 3*time.Second {
			t.Errorf("asked at %v, want %v; %d waits", at, want, waits)
		}
	})
	holdFolder(t, dir)
}

// A pause ends at once when the context does.
func TestCancelledWhileWaiting(t *testing.T) {
	handler := func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) }
	dir := filepath.Join(t.TempDir(), "new")
	bubble(t, handler, func(t *testing.T, client *http.Client) {
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		defer cancel()
		k := oneFile(noise(10, 1))
		k.Mirrors = []string{"http://busy/"}
		start := time.Now()
		err := Set(ctx, dir, k, Options{Client: client})
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != 500*time.Millisecond {
			t.Errorf("error %v after %v", err, time.Since(start))
		}
	})
}

// Bytes are reported about twenty times a second, and never fewer or more of
// them than arrived.
func TestReports(t *testing.T) {
	content := noise(10_000, 1)
	handler := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "10000")
		for i := range 1000 {
			time.Sleep(10 * time.Millisecond)
			w.Write(content[10*i:][:10])
			w.(http.Flusher).Flush()
		}
	}
	dir := t.TempDir()
	bubble(t, handler, func(t *testing.T, client *http.Client) {
		k := oneFile(content)
		k.Mirrors = []string{"http://slow/"}
		calls, last := 0, int64(0)
		err := Set(t.Context(), dir, k, Options{Client: client, Progress: func(p Progress) {
			if calls++; p.Stage == Fetching && (p.Mirror != "slow" || p.Set != "set" || p.File != "file") {
				t.Errorf("%+v", p)
			}
			if p.Done < last || p.SetDone != p.Done || p.Total != 10_000 || p.SetTotal != 10_000 {
				t.Errorf("%d of %d, %d of %d of the set, after %d", p.Done, p.Total, p.SetDone, p.SetTotal, last)
			}
			last = p.Done
		}})
		// 200 of bytes in 10 s, and the stages.
		if err != nil || last != 10_000 || calls < 195 || calls > 210 {
			t.Errorf("%d calls, last %d: %v", calls, last, err)
		}
	})
}

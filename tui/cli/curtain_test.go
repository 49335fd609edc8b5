package cli

import (
	"strings"
	"sync"
	"testing"
	"time"
)

// sent is what a terminal is sent.
type sent struct {
	mu   sync.Mutex
	text strings.Builder
}

func (s *sent) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *sent) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// What opens quickly shows no curtain. What takes long shows one, which goes without a trace
// after an error and is left to the screen otherwise.
func TestCurtain(t *testing.T) {
	var quick sent
	newCurtain(&quick, "mnist", 80, 24, time.Hour).drop()
	if quick.String() != "" {
		t.Errorf("a quick start writes %q", quick.String())
	}
	up := func() (*sent, *curtain) {
		s := new(sent)
		c := newCurtain(s, "mlp:400-400 on mnist", 80, 24, 0)
		for s.String() == "" {
			time.Sleep(time.Millisecond)
		}
		return s, c
	}
	s, c := up()
	if got := s.String(); !strings.HasPrefix(got, curtainUp) || !strings.Contains(got, "opening mlp:400-400 on mnist") {
		t.Errorf("it shows %q", got)
	}
	c.drop()
	c.drop()
	if got := s.String(); !strings.HasSuffix(got, curtainDown) || strings.Count(got, curtainDown) != 1 {
		t.Errorf("after an error: %q", got)
	}
	s, c = up()
	c.draw()
	c.drop()
	if got := s.String(); strings.Contains(got, curtainDown) {
		t.Errorf("the screen that takes over is taken away: %q", got)
	}
	var none *curtain
	none.draw()
	none.drop()
}

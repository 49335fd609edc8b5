//go:build unix

package tui

import (
	"strings"
	"testing"
	"time"
)

// wait waits until the strip or the footer holds a text, at less cost than see.
func (x *terminal) wait(text string) {
	x.t.Helper()
	for end := time.After(patience); ; {
		x.mu.Lock()
		var b strings.Builder
		for y := x.emu.Height() - 3; y < x.emu.Height(); y++ {
			for i := range x.emu.Width() {
				if c := x.emu.CellAt(i, y); c != nil {
					b.WriteString(c.Content)
				}
			}
		}
		x.mu.Unlock()
		if strings.Contains(b.String(), text) {
			return
		}
		select {
		case <-x.news:
		case <-end:
			x.t.Fatalf("no %q on the screen:\n%s", text, x.screen())
		}
	}
}

// BenchmarkKeyToScreen is the time from a key to its effect on the screen while
// both lanes run flat out: the selected parameter's new value, and the session's
// word that it is in force.
func BenchmarkKeyToScreen(b *testing.B) {
	x := startTerminal(b, "run", 200, 60)
	x.see("A pSGLD", "running")
	time.Sleep(time.Second)
	worst := [2]time.Duration{}
	var value, word time.Duration
	n := 0
	for b.Loop() {
		key, show, say := "right", "ε 0.378", "→0.378 @"
		if n%2 == 1 {
			key, show, say = "left", "ε 0.300", "→0.3 @"
		}
		n++
		start := time.Now()
		x.press(key)
		x.wait(show)
		shown := time.Since(start)
		x.wait(say)
		said := time.Since(start)
		value, word = value+shown, word+said
		worst = [2]time.Duration{max(worst[0], shown), max(worst[1], said)}
		b.StopTimer()
		time.Sleep(time.Duration(7*n%40) * time.Millisecond)
		b.StartTimer()
	}
	b.ReportMetric(value.Seconds()*1000/float64(n), "value-ms")
	b.ReportMetric(worst[0].Seconds()*1000, "worst-value-ms")
	b.ReportMetric(word.Seconds()*1000/float64(n), "in-force-ms")
	b.ReportMetric(worst[1].Seconds()*1000, "worst-in-force-ms")
}

// BenchmarkFirstFrame is the time from the start of the process to a whole first
// frame.
func BenchmarkFirstFrame(b *testing.B) {
	for b.Loop() {
		x := startTerminal(b, "run", 200, 60)
		x.see("A pSGLD", "q quit")
		b.StopTimer()
		x.press("q")
		x.cmd.Wait()
		b.StartTimer()
	}
}

//go:build unix

package app

import (
	"testing"
	"time"
)

// BenchmarkKeyToScreen is the time from a key to its effect on the screen while
// both lanes run flat out: the selected parameter's new value, and the session's
// word that it is in force.
func BenchmarkKeyToScreen(b *testing.B) {
	x := startTerminal(b, "run", 200, 60)
	x.See("A pSGLD", "running")
	time.Sleep(time.Second)
	worst := [2]time.Duration{}
	var value, word time.Duration
	n := 0
	for b.Loop() {
		key, show, say := "right", "ε 0.378", "ε 0.3→0.378 @"
		if n%2 == 1 {
			key, show, say = "left", "ε 0.300", "ε back at 0.3 @"
		}
		n++
		start := time.Now()
		x.Press(key)
		x.SeeAtFoot(3, show)
		shown := time.Since(start)
		x.SeeAtFoot(3, say)
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
		x.See("A pSGLD", "q quit")
		b.StopTimer()
		x.Press("q")
		x.Ended(0)
		b.StartTimer()
	}
}

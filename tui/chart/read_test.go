package chart

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/tui/internal/planetest"
	"github.com/psgld/psgld-tui/tui/plane"
)

// A scaleRead is a labelled axis as the eye has it: cells and the values beside them.
type scaleRead struct {
	at, value []float64
	log       bool
}

// read is the value at a place between labels, or beyond the last as far as between two
// of them, and the ticks between its neighbours.
func (s *scaleRead) read(at float64) (v, gap float64) {
	i := 0
	for i+2 < len(s.at) && s.at[i+1] < at {
		i++
	}
	t := (at - s.at[i]) / (s.at[i+1] - s.at[i])
	a, b := s.value[i], s.value[i+1]
	if s.log {
		return a * math.Pow(b/a, t), math.Log(b / a)
	}
	return a + t*(b-a), b - a
}

// off is how far two values are apart, in ticks.
func (s *scaleRead) off(v, w, gap float64) float64 {
	if s.log {
		return math.Abs(math.Log(v/w)) / math.Abs(gap)
	}
	return math.Abs(v-w) / math.Abs(gap)
}

// number is the value of a label.
func number(t *testing.T, s string) float64 {
	t.Helper()
	unit := 1.0
	for suffix, u := range map[string]float64{"k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12} {
		if rest, ok := strings.CutSuffix(s, suffix); ok {
			s, unit = strings.TrimSpace(rest), u
		}
	}
	v, err := strconv.ParseFloat(strings.ReplaceAll(s, ",", ""), 64)
	if err != nil {
		t.Fatal(err)
	}
	return unit * v
}

// TestReadByEye: on a chart of any size a value that is read off the labels of its axis is
// within a fifth of a tick of the curve's, on linear and log axes, in each strip of a chart of
// several, and so is a place on X.
// The ticks of a linear axis are equally many cells apart.
func TestReadByEye(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	worst := 0.0
	for n := range 300 {
		w, h := 30+r.IntN(170), 10+r.IntN(50)
		xs, xLog := randomRange(r)
		ys, yLog := randomRange(r)
		th := planetest.Plain()
		c := &Lines{X: Scale{Log: xLog, Fix: true, Range: xs}, Y: Scale{Log: yLog}, YWidth: 8}
		bend := 1 + 2*r.Float64()
		f := func(x float64) float64 { return ys.At(math.Pow(min(max(xs.Frac(x, xLog), 0), 1), bend), yLog) }
		var s Series
		for i := range 4000 {
			x := xs.At(float64(i)/3999, xLog)
			s.X, s.Y = append(s.X, x), append(s.Y, f(x))
		}
		c.Strips = 1
		if h >= 24 {
			c.Strips += r.IntN(3)
		}
		strip := r.IntN(c.Strips)
		for i := range c.Strips {
			of := s
			if of.Strip = i; i != strip { // on the same scale, elsewhere
				of.Y = slices.Clone(s.Y)
				slices.Reverse(of.Y)
			}
			c.Series = append(c.Series, of)
		}
		p := plane.NewPlane(w, h)
		at := c.Draw(p.Region(), th)
		lines := strings.Split(p.RenderPlain(), "\n")
		say := func(format string, args ...any) {
			t.Helper()
			t.Fatalf("%d: x %v (log %v), y %v (log %v): "+format+"\n%s",
				append(append([]any{n, xs, xLog, ys, yLog}, args...), p.RenderPlain())...)
		}
		// The labels of Y stand left of ┤, those of X below ┬.
		top, below := stripRows(strip, c.Strips, at.Plot.H)
		lp := linePlot{Lines: c, Region: p.Region().Sub(plane.Rect{W: at.Plot.W, H: below - top}), th: th,
			series: c.Series, sx: 2, sy: 4}
		lp.scale(xs)
		y, x := scaleRead{log: lp.y.Log}, scaleRead{log: at.Log}
		counted := false
		for row := below - 1; row >= top; row-- {
			if label, _, ok := strings.Cut(lines[row], "┤"); ok {
				label = strings.TrimSpace(label)
				v := number(t, label)
				if strings.HasPrefix(label, "+") {
					v, counted = v+y.value[0], true
				}
				y.at, y.value = append(y.at, -float64(row)), append(y.value, v)
			}
		}
		axis, labels := []rune(lines[at.Plot.H]), []rune(fmt.Sprintf("%-*s", w, lines[at.Plot.H+1]))
		for col, r := range axis {
			if r != '┬' {
				continue
			}
			from, to := col, col
			for from > 0 && labels[from-1] != ' ' {
				from--
			}
			for to < len(labels) && labels[to] != ' ' {
				to++
			}
			if from < to && labels[col] != ' ' {
				x.at, x.value = append(x.at, float64(col-at.Plot.X)),
					append(x.value, number(t, string(labels[from:to])))
			}
		}
		if len(y.at) < 2 || len(x.at) < 2 {
			say("%d labels of Y, %d of X", len(y.at), len(x.at))
		}
		for _, s := range []*scaleRead{&y, &x} {
			for i := 2; i < len(s.at) && !s.log; i++ {
				if s.at[i]-s.at[i-1] != s.at[1]-s.at[0] {
					say("ticks at %v", s.at)
				}
			}
		}
		for range 8 {
			col := r.IntN(at.Plot.W)
			v := at.At((float64(col)+0.5)/float64(at.Plot.W), at.Log)
			if !xs.Contains(v) {
				continue
			}
			if got, gap := x.read(float64(col)); x.off(got, v, gap) > 0.2 && len(x.at) > 2 {
				say("column %d is %v, and reads %v by %v", col, v, got, x)
			}
			// The middle of the column's dots, against the curve in the middle of the column.
			sum, dots := 0.0, 0.0
			for row := top; row < below; row++ {
				cell := p.Region().At(at.Plot.X+col, row)
				for k, bit := range brailleBit {
					if isBraille(cell) && cell&rune(bit) != 0 {
						sum += float64(row) + (float64(k/2)+0.5)/4 - 0.5
						dots++
					}
				}
			}
			lo, hi := at.At(float64(col)/float64(at.Plot.W), at.Log), at.At((float64(col)+1)/float64(at.Plot.W), at.Log)
			got, gap := y.read(-sum / dots)
			steep := y.off(f(lo), f(hi), gap) // across the column, half of which is the eye's to tell
			off := y.off(got, f(v), gap) - steep/2
			if worst = max(worst, off); off > 0.2 || !(dots > 0) {
				say("column %d: %v reads %v, %.2f ticks off by %v, counted %v", col, f(v), got, off, y, counted)
			}
		}
	}
	t.Logf("the worst value read is %.2f ticks off", worst)
}

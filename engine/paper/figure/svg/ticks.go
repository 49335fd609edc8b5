package svg

import (
	"math"

	"gonum.org/v1/plot"

	"github.com/psgld/psgld-tui/engine/paper/figure"
)

// ticks are the marks of an axis at fractions of its length, about want of them labelled.
func ticks(s figure.Span, want int) []plot.Tick {
	if s.Empty || want < 1 {
		return nil
	}
	if s.Log {
		if t := logTicks(s, want); t != nil {
			return t
		}
	}
	return evenTicks(s, want)
}

// tick adds the mark of v to t if the axis shows it.
func tick(t []plot.Tick, s figure.Span, v float64, label string) []plot.Tick {
	if f := s.Frac(v); f >= -1e-9 && f <= 1+1e-9 {
		t = append(t, plot.Tick{Value: min(max(f, 0), 1), Label: label})
	}
	return t
}

// evenTicks are multiples of 1, 2, 2.5 or 5 times a power of ten.
func evenTicks(s figure.Span, want int) []plot.Tick {
	raw := (s.Hi - s.Lo) / float64(want)
	p := math.Pow(10, math.Floor(math.Log10(raw)))
	step, decimals := 10*p, 0
	for _, m := range [...]float64{1, 2, 2.5, 5} {
		if m*p >= raw*(1-1e-9) {
			step = m * p
			break
		}
	}
	if !(step > 0) || math.IsInf(step, 0) {
		return nil
	}
	decimals = max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	if k := step * math.Pow10(decimals); math.Abs(k-math.Round(k)) > 1e-6 { // 2.5
		decimals++
	}
	first, last := math.Ceil(s.Lo/step-1e-9), math.Floor(s.Hi/step+1e-9)
	if !(last-first <= float64(2*want+2)) || math.Abs(first) > 1<<50 || math.Abs(last) > 1<<50 {
		return nil
	}
	var t []plot.Tick
	for i := first; i <= last; i++ {
		t = tick(t, s, i*step, tickText(i*step, decimals))
	}
	return t
}

// logTicks are powers of ten, and 2 and 5 times them if the axis has room, with unlabelled
// marks at the other multiples. It is nil if the axis has less than half a decade or
// fewer than two labels, since even steps say more there.
func logTicks(s figure.Span, want int) []plot.Tick {
	decades := math.Log10(s.Hi) - math.Log10(s.Lo)
	if decades < 0.5 {
		return nil
	}
	every := max(1, math.Ceil(decades/float64(want)))
	labelled := map[int]bool{1: true}
	if 3*decades <= float64(want)+1 {
		labelled[2], labelled[5] = true, true
	} else if 2*decades <= float64(want) {
		labelled[3] = true
	}
	plain := s.Lo > 0.99e-3 && s.Hi < 1.01e4
	var t []plot.Tick
	labels := 0
	for d := math.Floor(math.Log10(s.Lo)); d <= math.Ceil(math.Log10(s.Hi)); d++ {
		for m := 1; m <= 9; m++ {
			v := float64(m) * math.Pow(10, d)
			label := ""
			if labelled[m] && math.Mod(d, every) == 0 {
				decimals := -1
				if plain {
					decimals = max(0, -int(d))
				}
				label = tickText(v, decimals)
			}
			if label != "" || every == 1 && decades <= 8 || m == 1 && decades <= 80 {
				n := len(t)
				if t = tick(t, s, v, label); label != "" {
					labels += len(t) - n
				}
			}
		}
	}
	if labels < 2 {
		return nil
	}
	return t
}

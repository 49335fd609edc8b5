package landscape_test

import (
	"math"
	"slices"
	"testing"
)

// Of several hills each is found wherever it is, also where none of the points tried is near, and of one hill no other:
// neither of a bent ridge nor of a ring.
func TestSearch(t *testing.T) {
	for text, want := range map[string][]float64{ // the first coordinates of all modes
		"logsumexp(-(x+4)^2/0.5, -(x-4)^2/0.5)":                                            {-4, 4},
		"logsumexp(-(x+7.3)^2/0.02, -(x-7.3)^2/0.02)":                                      {-7.3, 7.3},
		"logsumexp(-((x+4)^2+y^2)/0.5, -((x-4)^2+(y-3)^2)/0.5, -(x^2+(y+9)^2)/0.5)":        {-4, 0, 4},
		"logsumexp(-((t1+4)^2+t2^2+t3^2)/0.5, -((t1-4)^2+t2^2+t3^2)/0.5)":                  {-4, 4},
		"logsumexp(-((t1+6)^2+t2^2+t3^2+(t4-20)^2)/0.5, -((t1-6)^2+t2^2+t3^2+(t4-9)^2)/2)": {-6, 6},
		"-x^2/2":               {0},
		"-(1-x)^2-5*(y-x^2)^2": {1},
		"-log(1+x^2)":          {0},
		"-t1^2-5*t2^2-t3^4":    {0},
		"-(sqrt(x^2+y^2)-3)^2": nil, // anywhere on the ring, but not inside of it
		"logsumexp(-(x+4)^2/0.5, log(1e-4)-(x-4)^2/0.5)": {-4}, // what has next to no mass is none
	} {
		l := explore(t, text)
		found := []float64{math.Round(l.Mode[0]*10) / 10}
		for _, h := range l.Others {
			found = append(found, math.Round(h.Mode[0]*10)/10)
		}
		slices.Sort(found)
		for i, x := range found {
			found[i] = x + 0 // no -0
		}
		if want != nil && !slices.Equal(found, want) {
			t.Errorf("%s has modes at %v, want %v", text, found, want)
		}
	}
}

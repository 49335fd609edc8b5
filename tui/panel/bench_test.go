package panel

import (
	"testing"

	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/theme"
)

// A whole screen of 200×60 in colour with four lanes and full trails, down to
// the string for the terminal. The budget is 4 ms.
func BenchmarkScreen(b *testing.B) {
	for _, s := range scenes() {
		if s.name != "four" && s.name != "blr" && s.name != "mlp" {
			continue
		}
		for k, v := range Views() {
			b.Run(s.name+"/"+v.Name(), func(b *testing.B) {
				f := frameOf(s.snap())
				f.Theme = theme.New(true, false, false)
				f.Params = Params(f)
				p := chart.NewPlane(200, 60)
				Screen(p, v, f)
				b.ReportAllocs()
				for b.Loop() {
					Screen(p, v, f)
					_ = p.Render()
				}
			})
			_ = k
		}
	}
}

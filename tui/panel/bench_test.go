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

// The same with its panes noted, values read off and one pane alone.
func BenchmarkLook(b *testing.B) {
	for name, look := range map[string]func(*Frame){
		"values": func(f *Frame) { f.Pane = "lane A" },
		"alone":  func(f *Frame) { f.Pane, f.Full = "lane A", true },
	} {
		for k, v := range Views()[:2] {
			b.Run(v.Name()+"/"+name, func(b *testing.B) {
				f := frameOf(sceneOf("four"))
				f.Theme, f.Panes = theme.New(true, false, false), new(Panes)
				f.Params = Params(f)
				f.Cross = Cross{AxisX: Progress, X: 4000}
				if k == 0 {
					f.Cross = Cross{AxisX: CoordX, AxisY: CoordY, X: 0.5, Y: 0.5}
				}
				look(&f)
				p := chart.NewPlane(200, 60)
				Screen(p, v, f)
				b.ReportAllocs()
				for b.Loop() {
					Screen(p, v, f)
					_ = p.Render()
				}
			})
		}
	}
}

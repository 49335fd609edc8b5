package plane_test

import (
	"reflect"
	"testing"

	"github.com/psgld/psgld-tui/tui/plane"
)

func TestZones(t *testing.T) {
	p := plane.NewPlane(20, 6)
	p.Region().Zone(plane.Zone{ID: "all"})
	in := p.Sub(plane.Rect{X: 5, Y: 1, W: 10, H: 4})
	in.Zone(plane.Zone{ID: "part", Rect: plane.Rect{X: 8, Y: -1, W: 9, H: 3}, Click: plane.Call("sweep.cell", "3")})
	in.Zone(plane.Zone{ID: "outside", Rect: plane.Rect{X: 10, W: 3, H: 3}})
	for _, c := range []struct {
		x, y int
		want string
	}{{0, 0, "all"}, {13, 1, "part"}, {14, 2, "part"}, {15, 1, "all"}, {13, 0, "all"}, {13, 3, "all"}, {20, 0, ""},
		{-1, 2, ""}} {
		if z := p.ZoneAt(c.x, c.y); z.ID != c.want || z.Rect.Empty() != (c.want == "") {
			t.Errorf("at (%d, %d): %q, want %q", c.x, c.y, z.ID, c.want)
		}
	}
	z := p.ZoneAt(13, 1)
	if want := (plane.Do{Name: "sweep.cell", Args: []string{"3"}}); !reflect.DeepEqual(z.Click, want) ||
		z.Drag.IsSet() {
		t.Errorf("%v and %v", z.Click, z.Drag)
	}
	if want := (plane.Rect{X: 13, Y: 1, W: 2, H: 2}); z.Rect != want {
		t.Errorf("rect %v, want %v", z.Rect, want)
	}
	p.Clear()
	if z := p.ZoneAt(13, 1); !z.Rect.Empty() || len(p.Zones()) != 0 {
		t.Error("Clear leaves zones")
	}
	plane.Region{}.Zone(plane.Zone{ID: "nowhere"})
}

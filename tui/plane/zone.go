package plane

import "slices"

// Do is a binding by its name and the arguments with which it is called. Drawing
// names what a zone does by it and knows no controller. The zero Do does nothing.
type Do struct {
	Name string
	Args []string
}

// Call is a Do with its arguments, which it retains.
func Call(name string, args ...string) Do { return Do{name, args} }

// IsSet reports whether d does something.
func (d Do) IsSet() bool { return d.Name != "" }

// A Zone is a part of the plane that answers to the mouse. It is declared by the function that draws what stands there.
type Zone struct {
	// Rect is where the zone is: in the region's coordinates for Region.Zone, in cells of the plane for Plane.ZoneAt.
	Rect Rect
	// ID stays the same from frame to frame, so that a drag keeps to its zone.
	ID string
	// Click, Drag and Wheel are done with the place that was hit, in cells of Rect. Tap is done where the button comes up
	// again without a drag. Two taps are never one double click.
	Click, Drag, Wheel, Tap Do
}

// Zone declares a zone on the region and clips it to the region. An empty Rect is all of the region. A zone covers the
// zones declared before it, even if it does nothing itself.
func (g Region) Zone(z Zone) {
	if z.Rect.Empty() {
		z.Rect = g.Bounds()
	}
	z.Rect = g.Sub(z.Rect).rect
	if !z.Rect.Empty() {
		g.p.zones = append(g.p.zones, z)
	}
}

// ZoneAt returns the topmost zone at (x, y), which is the one declared last since
// the newest Clear; the zero Zone where there is none.
func (p *Plane) ZoneAt(x, y int) Zone {
	for _, z := range slices.Backward(p.zones) {
		if z.Rect.Contains(x, y) {
			return z
		}
	}
	return Zone{}
}

// Zones returns the zones in the order of their declaration. They are valid until the next Clear.
func (p *Plane) Zones() []Zone { return p.zones }

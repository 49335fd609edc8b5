package targets

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/nets/tool/libm"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// A ShiftKind is a way of making images unlike those that a network has learnt.
type ShiftKind uint8

// The kinds of shift.
const (
	NoShift      ShiftKind = iota
	ShiftRotate            // about the middle, anticlockwise, in degrees
	ShiftNoise             // N(0, sd²) is added to each byte; the amount is sd
	ShiftForeign           // towards an image of the same class of another data set, by a share
	shiftKinds
)

// A ShiftScale says how the amount of a kind of shift is counted.
type ShiftScale struct {
	Name  string // one word, for commands
	Unit  string // written after the amount
	Doc   string
	Max   float64 // of the slider and of Grid
	Notch float64 // between the points of Grid
	Limit float64 // the largest amount that makes sense
}

// Scale returns the scale of a kind; of one that does not exist it is empty.
func (k ShiftKind) Scale() ShiftScale {
	if k >= shiftKinds {
		return ShiftScale{}
	}
	return [shiftKinds]ShiftScale{
		NoShift:     {Name: "none", Doc: "test images as they are"},
		ShiftRotate: {Name: "rotate", Unit: "°", Doc: "turned about the middle", Max: 180, Notch: 15, Limit: 360},
		ShiftNoise: {Name: "noise", Doc: "noise added, standard deviation in grey levels", Max: 240, Notch: 20,
			Limit: 1000},
		ShiftForeign: {Name: "foreign", Doc: "faded into another data set, same class", Max: 1, Notch: 0.1, Limit: 1},
	}[k]
}

// Grid returns the amounts from 0 to Max, a Notch apart; nil without a scale.
func (s ShiftScale) Grid() []float64 {
	if !(s.Notch > 0) {
		return nil
	}
	n := int(math.Round(s.Max / s.Notch))
	return list.Map(list.Upto(n+1), func(i int) float64 { return float64(i) * s.Max / float64(n) })
}

// A Shift is a kind of shift and how far it goes.
type Shift struct {
	Kind   ShiftKind
	Amount float64
}

// ParseShift reads a shift of some kinds, or of any without them: the name of its kind and
// an amount, as in "noise 80". Without an amount it is First's.
func ParseShift(text string, kinds ...ShiftKind) (Shift, error) {
	if len(kinds) == 0 {
		for k := range shiftKinds {
			kinds = append(kinds, k)
		}
	}
	name, amount, _ := strings.Cut(text, " ")
	var names []string
	for _, k := range kinds {
		names = append(names, k.Scale().Name)
		if !strings.EqualFold(k.Scale().Name, name) {
			continue
		}
		s := k.First()
		if amount = strings.TrimSpace(amount); amount != "" {
			x, err := strconv.ParseFloat(amount, 64)
			if err != nil {
				return s, fmt.Errorf("needs a number, got %q", amount)
			}
			s.Amount = x
		}
		return s, s.Check()
	}
	return Shift{}, fmt.Errorf("must be one of %s, and an amount, got %q", strings.Join(names, ", "), text)
}

// First is the shift of a kind that is best seen first: a quarter of its scale.
func (k ShiftKind) First() Shift {
	s := Shift{Kind: k}
	if g := k.Scale().Grid(); len(g) > 0 {
		s.Amount = g[(len(g)-1)/4]
	}
	return s
}

// Turn is s turned by notches: onto the next notch, and no further than its scale goes.
func (s Shift) Turn(notches int) Shift {
	scale := s.Kind.Scale()
	grid := scale.Grid()
	if len(grid) == 0 {
		return s
	}
	at := s.Amount / scale.Notch
	if notches > 0 {
		at = math.Floor(at + 1e-6)
	} else {
		at = math.Ceil(at - 1e-6)
	}
	s.Amount = grid[min(max(int(min(at, 1e6))+notches, 0), len(grid)-1)]
	return s
}

// Slide is s at a fraction of its scale, on a tenth of a notch or on a whole degree.
func (s Shift) Slide(frac float64) Shift {
	scale := s.Kind.Scale()
	step := scale.Notch / 10
	if s.Kind == ShiftRotate {
		step = 1
	}
	if step > 0 {
		s.Amount = min(max(math.Round(frac*scale.Max/step)*step, 0), scale.Max)
	}
	return s
}

// Check returns an error that names what is allowed.
func (s Shift) Check() error {
	if s.Kind >= shiftKinds {
		return fmt.Errorf("there is no shift of kind %d", s.Kind)
	}
	if c := s.Kind.Scale(); !(s.Amount >= 0 && s.Amount <= c.Limit) {
		return fmt.Errorf("the amount of %s must be from 0 to %g, got %g", c.Name, c.Limit, s.Amount)
	}
	return nil
}

// Apply writes the shifted image to dst, which must not overlap src. An image is rows × cols × channels bytes. The
// noise is made of z, as many standard normal numbers. foreign is an image of the other data set. Both
// may be nil for a shift that does not use them. At amount 0 dst is src, byte for byte.
func (s Shift) Apply(dst, src []uint8, rows, cols, channels int, z []float64, foreign []uint8) {
	a := s.Amount
	if a == 0 || s.Kind == NoShift {
		copy(dst, src)
		return
	}
	switch s.Kind {
	case ShiftRotate:
		rotate(dst, src, rows, cols, channels, a)
	case ShiftNoise:
		for i, x := range src {
			dst[i] = toByte(float64(x) + float64(a*z[i]))
		}
	case ShiftForeign:
		for i, x := range src {
			dst[i] = toByte(float64((1-a)*float64(x)) + float64(a*float64(foreign[i])))
		}
	default:
		panic(fmt.Sprintf("targets: there is no shift of kind %d", s.Kind))
	}
}

func toByte(x float64) uint8 { return uint8(min(max(math.Floor(x+0.5), 0), 255)) }

// rotate turns an image about its middle, anticlockwise as it is seen, with bilinear interpolation and 0 outside.
// Multiples of 90° move the pixels of a square image and change none.
func rotate(dst, src []uint8, rows, cols, channels int, degrees float64) {
	sin, cos := sincos(degrees)
	midX, midY := float64(float64(cols-1)/2), float64(float64(rows-1)/2)
	for y := range rows {
		for x := range cols {
			dx, dy := float64(x)-midX, float64(y)-midY
			fromX, fromY := midX+float64(cos*dx)-float64(sin*dy), midY+float64(sin*dx)+float64(cos*dy)
			x0, y0 := math.Floor(fromX), math.Floor(fromY)
			tx, ty := fromX-x0, fromY-y0
			for c := range channels {
				at := func(x, y int) float64 {
					if x < 0 || y < 0 || x >= cols || y >= rows {
						return 0
					}
					return float64(src[(y*cols+x)*channels+c])
				}
				i, j := int(x0), int(y0)
				top := float64((1-tx)*at(i, j)) + float64(tx*at(i+1, j))
				low := float64((1-tx)*at(i, j+1)) + float64(tx*at(i+1, j+1))
				dst[(y*cols+x)*channels+c] = toByte(float64((1-ty)*top) + float64(ty*low))
			}
		}
	}
}

// sincos is exact at multiples of 90°.
func sincos(degrees float64) (sin, cos float64) {
	switch d := math.Mod(degrees, 360); d {
	case 0:
		return 0, 1
	case 90, -270:
		return 1, 0
	case 180, -180:
		return 0, -1
	case 270, -90:
		return -1, 0
	default:
		return libm.Sincos(d * math.Pi / 180)
	}
}

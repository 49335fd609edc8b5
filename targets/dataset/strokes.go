package dataset

import (
	_ "embed"
	"encoding/json"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"

	"github.com/psgld/psgld-tui/targets/tool/list"
)

// Shape of the drawn set.
const (
	strokesSide  = 28
	strokesTrain = 12_000
	strokesTest  = 2_000
)

// Strokes draws a set of handwriting-like digits that needs no file: 12,000 images to train and 2,000 to test of 28×28
// pixels, the ten classes equally often in each. A digit is written in one of two to four ways with a pen whose path
// wobbles, and then bent, slanted, stretched, turned and shifted at random; the pen's width and pressure vary as well.
//
// What is drawn is counted by at. Image i of a part is drawn from PCG-DXSM of math/rand/v2 keyed by the seed, the part
// and i alone. Only additions, multiplications, divisions and square roots are used, each rounded by itself (the
// conversions to float64 keep a compiler from fusing two; it may still where a factor is a power of two, which is
// exact), so that the images are the same everywhere, however many cores draw them.
func Strokes(seed uint64, at *Reading) Images {
	m := Images{
		Rows: strokesSide, Cols: strokesSide, Channels: 1, Classes: digits,
		Name: "strokes",
	}
	at.drawing(strokesTrain + strokesTest)
	m.TrainX, m.TrainY = drawAll(seed, 0, strokesTrain, at)
	m.TestX, m.TestY = drawAll(seed, 1, strokesTest, at)
	return m
}

// drawAll draws n images of a part, n a multiple of the number of classes. Each run of ten images has each class once.
func drawAll(seed, part uint64, n int, at *Reading) (x, y []uint8) {
	const pixels = strokesSide * strokesSide
	x, y = make([]uint8, n*pixels), make([]uint8, n)
	ways := glyphs()
	workers := runtime.GOMAXPROCS(0)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			p := new(pen)
			pcg := new(rand.PCG)
			for run := w; run < n/digits; run += workers {
				pcg.Seed(seed, part<<63|1<<62|uint64(run))
				order := rand.New(pcg).Perm(digits)
				for k, class := range order {
					i := run*digits + k
					pcg.Seed(seed, part<<63|uint64(i))
					p.write(rand.New(pcg), ways[class])
					p.develop(x[i*pixels:][:pixels])
					y[i] = uint8(class)
				}
				at.drew(digits)
			}
		})
	}
	wg.Wait()
	return x, y
}

// A pen writes one digit. Lengths are in pixels once a point is placed.
type pen struct {
	path []dot
	ink  [strokesSide * strokesSide]float64
}

// A dot is a point of the pen's path and the half-width of the line there.
// A dot that starts a stroke is not joined to the one before it.
type dot struct {
	x, y, r float64
	start   bool
}

// How much a digit varies. Normals are those of bell.
const (
	wobbleSD   = 0.034 // of a knot, of the unit square's side
	wobbleKept = 0.5   // correlation of the wobbles of two knots in a row
	bendSD     = 0.20  // x += bend·(y-½)², of the side
	slantMean  = 0.12  // x -= slant·y
	slantSD    = 0.20
	turnSD     = 0.11 // radians, nearly
	widthMean  = 0.88 // of the square, against its height
	widthSD    = 0.12
	heightMean = 20.0 // pixels of the unit square
	heightSD   = 1.7
	shiftSD    = 1.0 // pixels
	halfMean   = 1.15
	halfSD     = 0.32
	halfMin    = 0.6
	pieces     = 8 // straight ones for each piece of curve
)

// write chooses a way and lays out its path.
func (p *pen) write(r *rand.Rand, ways []glyph) {
	g := choose(r, ways)
	height := heightMean + float64(heightSD*bell(r))
	width := float64(height * (widthMean + float64(widthSD*bell(r))))
	slant := slantMean + float64(slantSD*bell(r))
	bend := float64(bendSD * bell(r))
	// A rotation by θ with tan θ/2 = t needs no sine, which processors round differently.
	t := float64(turnSD / 2 * bell(r))
	t2 := float64(t * t)
	cos, sin := (1-t2)/(1+t2), float64(2*t)/(1+t2)
	const middle = strokesSide / 2
	dx, dy := middle+float64(shiftSD*bell(r)), middle+float64(shiftSD*bell(r))
	half := max(halfMin, halfMean+float64(halfSD*bell(r)))
	wobble := float64(wobbleSD * (0.5 + float64(r.Float64())))
	fresh := float64(wobble * math.Sqrt(1-wobbleKept*wobbleKept))

	place := func(x, y float64) (float64, float64) {
		x, y = x-0.5, y-0.5
		x += float64(float64(bend*y)*y) - float64(slant*y)
		x, y = float64(x*width), float64(y*height)
		return dx + float64(cos*x) - float64(sin*y), dy + float64(sin*x) + float64(cos*y)
	}
	p.path = p.path[:0]
	for _, s := range g.Strokes {
		var knots [16]knot
		offX, offY := float64(wobble*bell(r)), float64(wobble*bell(r))
		for i, k := range s {
			k.x, k.y = place(k.x+offX, k.y+offY)
			knots[i] = k
			offX = float64(wobbleKept*offX) + float64(fresh*bell(r))
			offY = float64(wobbleKept*offY) + float64(fresh*bell(r))
		}
		// The pen presses harder at one end.
		press := float64(0.18 * bell(r))
		p.curve(knots[:len(s)], half, press)
	}
}

// curve appends the path through the knots: between corners a Catmull-Rom spline, each of its pieces a cubic Bézier
// curve whose handles are a sixth of the way between the neighbouring knots. The half-width goes from (1-press) to
// (1+press) times half.
func (p *pen) curve(k []knot, half, press float64) {
	last := len(k) - 1
	width := func(at float64) float64 {
		u := float64(2*at)/float64(last) - 1
		return float64(half * (1 + float64(press*u)))
	}
	p.path = append(p.path, dot{k[0].x, k[0].y, width(0), true})
	for i := range last {
		a, b := k[i], k[i+1]
		before, after := a, b
		if i > 0 && !a.corner {
			before = k[i-1]
		}
		if i+1 < last && !b.corner {
			after = k[i+2]
		}
		ax, ay := a.x+(b.x-before.x)/6, a.y+(b.y-before.y)/6
		bx, by := b.x-(after.x-a.x)/6, b.y-(after.y-a.y)/6
		for j := 1; j <= pieces; j++ {
			t := float64(float64(j) / pieces)
			p.path = append(p.path, dot{bezier(a.x, ax, bx, b.x, t), bezier(a.y, ay, by, b.y, t),
				width(float64(i) + t), false})
		}
	}
}

// bezier is the cubic Bézier curve a, b, c, d at t, by de Casteljau.
func bezier(a, b, c, d, t float64) float64 {
	ab, bc, cd := between(a, b, t), between(b, c, t), between(c, d, t)
	return between(between(ab, bc, t), between(bc, cd, t), t)
}

func between(a, b, t float64) float64 { return a + float64((b-a)*t) }

// develop draws the path. A pixel's ink is 1 within the line and falls to 0
// over the width of edge, by its distance from the line's middle.
func (p *pen) develop(out []uint8) {
	const edge = 1.1
	clear(p.ink[:])
	for i, b := range p.path {
		if b.start {
			continue
		}
		a := p.path[i-1]
		reach := max(a.r, b.r) + edge/2
		left, right := pixelsWithin(min(a.x, b.x)-reach, max(a.x, b.x)+reach)
		top, bottom := pixelsWithin(min(a.y, b.y)-reach, max(a.y, b.y)+reach)
		vx, vy := b.x-a.x, b.y-a.y
		length2 := float64(vx*vx) + float64(vy*vy)
		for y := top; y < bottom; y++ {
			for x := left; x < right; x++ {
				px, py := float64(x)+0.5-a.x, float64(y)+0.5-a.y
				t := 0.0
				if length2 > 0 {
					t = min(1, max(0, (float64(px*vx)+float64(py*vy))/length2))
				}
				ex, ey := px-float64(t*vx), py-float64(t*vy)
				over := between(a.r, b.r, t) + edge/2
				d2 := float64(ex*ex) + float64(ey*ey)
				if d2 >= float64(over*over) {
					continue
				}
				ink := (over - math.Sqrt(d2)) / edge
				at := y*strokesSide + x
				p.ink[at] = max(p.ink[at], min(1, ink))
			}
		}
	}
	for i, v := range p.ink {
		out[i] = uint8(float64(v*255) + 0.5)
	}
}

// pixelsWithin are the pixels whose middles lie between two places, cut to the image.
func pixelsWithin(from, to float64) (first, end int) {
	const side = strokesSide
	from, to = min(side, max(0, from)), min(side, max(0, to))
	return int(from), min(side, int(to)+1)
}

// choose picks a way by its weight.
func choose(r *rand.Rand, ways []glyph) glyph {
	total := list.Sum(ways, func(g glyph) float64 { return g.Weight })
	at := float64(total * r.Float64())
	for _, g := range ways {
		if at -= g.Weight; at < 0 {
			return g
		}
	}
	return ways[len(ways)-1]
}

// bell is nearly normal with mean 0 and variance 1: the sum of four uniforms, centred and scaled by √3 (Irwin and
// Hall), so that nothing lies beyond 2√3 and no logarithm is needed.
func bell(r *rand.Rand) float64 {
	const sqrt3 = 1.7320508075688772
	return float64(sqrt3 * (float64(r.Float64()) + float64(r.Float64()) + float64(r.Float64()) +
		float64(r.Float64()) - 2))
}

// A knot is a point that a pen passes, x to the right and y down in a unit
// square. The pen turns smoothly there unless it is a corner.
type knot struct {
	x, y   float64
	corner bool
}

// UnmarshalJSON reads [x, y], or [x, y, 1] for a corner.
func (k *knot) UnmarshalJSON(b []byte) error {
	var v [3]float64
	err := json.Unmarshal(b, &v)
	*k = knot{v[0], v[1], v[2] != 0}
	return err
}

// A glyph is one way to write a digit: strokes, each a run of knots, and how
// often it is used relative to the digit's other ways.
type glyph struct {
	Weight  float64
	Strokes [][]knot
}

//go:embed glyphs.json
var drawnGlyphs []byte

// glyphs are the ways to write each digit, glyphs.json.
func glyphs() (all [digits][]glyph) {
	if err := json.Unmarshal(drawnGlyphs, &all); err != nil {
		panic(err) // it is part of the program
	}
	return all
}

package figure

import "slices"

// NumHues is the number of colours, and of marks, of series.
const NumHues = 8

// The hues that samplers and exact values have in every figure.
const (
	huePSGLD = iota
	hueSGLD
	hueRMSprop
	hueSGD
	hueRMSspectral
	hueBBB
	hueExact
	hueHMC
)

// Hues are the colours on a white ground, as red, green and blue. The first four are those
// of lanes A to D on a light screen. The others are Okabe and Ito's ("Color Universal
// Design", 2008) as far as these are dark enough, with an ink for exact values.
func Hues() [NumHues][3]uint8 {
	return [NumHues][3]uint8{
		{0x00, 0x72, 0xb2}, {0xc4, 0x56, 0x00}, {0x00, 0x80, 0x5d}, {0xa8, 0x4f, 0x86},
		{0xe6, 0x9f, 0x00}, {0x56, 0xb4, 0xe9}, {0x3a, 0x40, 0x48}, {0x8a, 0x7a, 0x00},
	}
}

// A Look is the colour and mark of a series, by number. Series of one hue, such as a
// sampler with two settings, differ in shade and mark.
type Look struct{ Hue, Shade int }

// Mark numbers the look's mark among NumHues.
func (l Look) Mark() int { return (l.Hue + 4*l.Shade + l.Shade/2) % NumHues }

// A LegendKey is a line of a figure's legend.
type LegendKey struct {
	Name  string
	Style Style
	Paper bool
	Look  Look
}

// hueOf is the hue that a sampler has in every figure.
var hueOf = map[string]int{
	"psgld":       huePSGLD,
	"sgld":        hueSGLD,
	"rmsprop":     hueRMSprop,
	"sgd":         hueSGD,
	"rmsspectral": hueRMSspectral,
	"bbb":         hueBBB,
	"hmc":         hueHMC,
}

// Looks are the looks of each panel's series. Series of the same name look the same. Those
// of a sampler have its hue, each in another shade. The others share the hues that are left.
// A dashed series has the look of the series that it is Like, or else its sampler's first.
func (f Figure) Looks() [][]Look {
	var samplers, others, dashed []Series
	for _, p := range f.Panels {
		for _, s := range p.Series {
			switch _, known := hueOf[s.Of]; {
			case s.Paper:
				dashed = append(dashed, s)
			case known:
				samplers = append(samplers, s)
			default:
				others = append(others, s)
			}
		}
	}
	free := []int{huePSGLD, hueSGLD, hueRMSprop, hueSGD, hueRMSspectral, hueBBB, hueHMC}
	if samplers != nil { // samplers' colours stay theirs
		free = free[hueRMSspectral:]
	}
	of := map[string]Look{}
	var taken [NumHues]int // series of a hue
	for _, s := range slices.Concat(samplers, others, dashed) {
		if _, have := of[s.Name]; have {
			continue
		}
		hue, known := hueOf[s.Of]
		like, ok := of[s.Like]
		switch {
		case s.Paper && ok:
			of[s.Name] = like
			continue
		case s.Paper && known:
			of[s.Name] = Look{Hue: hue}
			continue
		case s.Paper:
			hue = hueExact
		case !known:
			hue = slices.MinFunc(free, func(a, b int) int { return taken[a] - taken[b] })
		}
		of[s.Name] = Look{hue, taken[hue]}
		taken[hue]++
	}
	looks := make([][]Look, len(f.Panels))
	for i, p := range f.Panels {
		for _, s := range p.Series {
			looks[i] = append(looks[i], of[s.Name])
		}
	}
	return looks
}

// Legend lists the named series of all panels, each once.
func (f Figure) Legend() []LegendKey {
	var keys []LegendKey
	looks := f.Looks()
	for i, p := range f.Panels {
		for k, s := range p.Series {
			same := func(l LegendKey) bool { return l.Name == s.Name && l.Paper == s.Paper }
			if s.Name != "" && !slices.ContainsFunc(keys, same) {
				keys = append(keys, LegendKey{s.Name, s.Style, s.Paper, looks[i][k]})
			}
		}
	}
	return keys
}

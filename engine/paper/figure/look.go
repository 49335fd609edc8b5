package figure

import (
	"strings"
	"unicode"
)

// NumHues is how many colours and marks series are told apart by.
const NumHues = 8

// The hues that samplers and what is exact have in every figure.
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

// Hues are the colours, red, green and blue, on a white ground: the first four those
// of the screen's lanes A to D on a light one, the others Okabe and Ito's ("Color
// Universal Design", 2008) where these are dark enough, and an ink for what is exact.
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

// Looks are the looks of each panel's series. A sampler's name in the series' own
// gives it the hue that it has in every figure. A paper series whose name has
// another's in it, such as "pSGLD (paper)", looks like that one.
func (f Figure) Looks() [][]Look {
	var names, papers []string // in the order in which they come up
	seen := map[string]bool{}
	for _, paper := range [...]bool{false, true} {
		for _, p := range f.Panels {
			for _, s := range p.Series {
				switch {
				case s.Paper != paper || seen[s.Name]:
				case paper:
					papers = append(papers, s.Name)
				default:
					names = append(names, s.Name)
				}
				seen[s.Name] = seen[s.Name] || s.Paper == paper
			}
		}
	}
	of := map[string]Look{"": {Hue: hueExact}}
	var taken [NumHues]int // series of a hue
	give := func(name string, hue int) {
		if _, have := of[name]; !have {
			of[name] = Look{hue, taken[hue]}
			taken[hue]++
		}
	}
	for _, name := range names {
		if hue, ok := hueOf(name); ok {
			give(name, hue)
		}
	}
	free := []int{huePSGLD, hueSGLD, hueRMSprop, hueSGD, hueRMSspectral, hueBBB, hueHMC}
	if taken != ([NumHues]int{}) { // samplers' colours stay theirs
		free = free[hueRMSspectral:]
	}
	for _, name := range names {
		hue := free[0]
		for _, h := range free {
			if taken[h] < taken[hue] {
				hue = h
			}
		}
		give(name, hue)
	}
	for _, name := range papers {
		if like, ok := containedName(name, of); ok {
			of[name] = like
		} else if hue, ok := hueOf(name); ok {
			of[name] = Look{Hue: hue}
		} else {
			give(name, hueExact)
		}
	}
	looks := make([][]Look, len(f.Panels))
	for i, p := range f.Panels {
		looks[i] = make([]Look, len(p.Series))
		for k, s := range p.Series {
			looks[i][k] = of[s.Name]
		}
	}
	return looks
}

// Legend lists the named series of all panels once each.
func (f Figure) Legend() []LegendKey {
	var keys []LegendKey
	seen := map[string]bool{}
	looks := f.Looks()
	for i, p := range f.Panels {
		for k, s := range p.Series {
			id := s.Name
			if s.Paper {
				id += "\x00paper"
			}
			if s.Name == "" || seen[id] {
				continue
			}
			seen[id] = true
			keys = append(keys, LegendKey{s.Name, s.Style, s.Paper, looks[i][k]})
		}
	}
	return keys
}

// hueOf is the hue of the first sampler that a name speaks of.
func hueOf(name string) (int, bool) {
	for _, word := range strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		switch strings.ToLower(word) {
		case "psgld":
			return huePSGLD, true
		case "sgld":
			return hueSGLD, true
		case "rmsprop":
			return hueRMSprop, true
		case "sgd":
			return hueSGD, true
		case "rmsspectral":
			return hueRMSspectral, true
		case "bbb":
			return hueBBB, true
		case "hmc":
			return hueHMC, true
		case "exact", "truth":
			return hueExact, true
		}
	}
	return 0, false
}

// containedName is the look of the longest name that is in another as whole words.
func containedName(name string, of map[string]Look) (Look, bool) {
	best := ""
	for other := range of { // of two as long the lesser, so that the order of a map decides nothing
		if len(other) < len(best) || len(other) == len(best) && other >= best {
			continue
		}
		at := strings.Index(name, other)
		if at < 0 {
			continue
		}
		before, after := []rune(name[:at]), []rune(name[at+len(other):])
		if len(before) > 0 && isWord(before[len(before)-1]) || len(after) > 0 && isWord(after[0]) {
			continue
		}
		best = other
	}
	l, ok := of[best]
	return l, ok && best != ""
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

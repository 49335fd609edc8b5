package record

import (
	"image/color"
	"strconv"

	"github.com/charmbracelet/x/ansi"
	"github.com/psgld/psgld-tui/tui/theme"
)

// restyle is the style after an SGR sequence with parameters (ECMA-48, 8.3.117,
// with the colours of ISO 8613-6). What a theme.Style does not have is ignored.
func restyle(s theme.Style, params ansi.Params) theme.Style {
	if len(params) == 0 {
		return theme.Style{}
	}
	for i := 0; i < len(params); i++ {
		switch p := params[i].Param(0); {
		case p == 38 || p == 48 || p == 58:
			var c color.Color
			n := ansi.ReadStyleColor(params[i:], &c)
			if n < 1 {
				return s
			}
			i += n - 1
			if c == nil || c == color.Transparent {
				continue
			}
			switch p {
			case 38:
				s.FG = theme.FromColor(c)
			case 48:
				s.BG = theme.FromColor(c)
			}
		case p == 4 && params[i].HasMore():
			s = s.With(theme.Underline)
			if i++; i < len(params) && params[i].Param(0) == 0 {
				s = s.Without(theme.Underline)
			}
		default:
			s = attribute(s, p)
		}
	}
	return s
}

// attribute is the style after one parameter of a single number.
func attribute(s theme.Style, p int) theme.Style {
	switch {
	case p == 0:
		return theme.Style{}
	case p == 1:
		return s.With(theme.Bold)
	case p == 2:
		return s.With(theme.Faint)
	case p == 3:
		return s.With(theme.Italic)
	case p == 4:
		return s.With(theme.Underline)
	case p == 7:
		return s.With(theme.Reverse)
	case p == 22:
		return s.Without(theme.Bold | theme.Faint)
	case p == 23:
		return s.Without(theme.Italic)
	case p == 24:
		return s.Without(theme.Underline)
	case p == 27:
		return s.Without(theme.Reverse)
	case p == 39:
		s.FG = 0
	case p == 49:
		s.BG = 0
	case p >= 30 && p <= 37:
		s.FG = basic(p - 30)
	case p >= 40 && p <= 47:
		s.BG = basic(p - 40)
	case p >= 90 && p <= 97:
		s.FG = basic(p - 90 + 8)
	case p >= 100 && p <= 107:
		s.BG = basic(p - 100 + 8)
	}
	return s
}

// basic is one of the sixteen colours, as xterm has them.
func basic(i int) theme.Color { return theme.FromColor(ansi.IndexedColor(uint8(i))) }

// appendStyle writes the SGR sequence that sets a style whatever was before.
func appendStyle(out []byte, s theme.Style) []byte {
	out = append(out, "\x1b["...)
	if s == (theme.Style{}) {
		return append(out, 'm')
	}
	out = append(out, '0')
	for i, code := range [...]byte{'1', '2', '3', '4', '7'} {
		if s.Attr&(1<<i) != 0 {
			out = append(out, ';', code)
		}
	}
	out = appendRGB(out, ";38;2;", s.FG)
	out = appendRGB(out, ";48;2;", s.BG)
	return append(out, 'm')
}

func appendRGB(out []byte, prefix string, c theme.Color) []byte {
	if !c.IsSet() {
		return out
	}
	r, g, b := c.Channels()
	out = append(out, prefix...)
	out = strconv.AppendUint(out, uint64(r), 10)
	out = append(out, ';')
	out = strconv.AppendUint(out, uint64(g), 10)
	out = append(out, ';')
	return strconv.AppendUint(out, uint64(b), 10)
}

package targets

import (
	"cmp"
	"slices"
	"strings"

	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// KeyPrefix begins the keys of the parameters of targets.
const KeyPrefix = "target."

// Opened is the problem as it was opened, whatever has been turned since.
func (p *Problem) Opened() *Problem {
	if p != nil && p.opened != nil {
		return p.opened
	}
	return p
}

// Held is the problem with another reference to hold draws to; nil for the one worked out in opening, or none.
func (p *Problem) Held(to *Reference) *Problem {
	q := *p
	if r := p.Known(); r != nil && r.MinESS == 0 {
		q.own = r
	}
	q.opened = p.Opened()
	q.Hold(cmp.Or(to, q.own))
	return &q
}

// Param finds a parameter of the target and its place among Params.
func (p *Problem) Param(key string) (q param.Param, at int, ok bool) {
	return param.Find(p.Params, key)
}

// Values are the present values of Params, in order.
func (p *Problem) Values() []float64 {
	if p.values != nil {
		return slices.Clone(p.values)
	}
	return list.Map(p.Params, func(q param.Param) float64 { return q.Default })
}

// With is the problem with another value of one of its Params. Params are declared as they were when it was opened, so
// that sliders stand still. It has no reference that was found for other values. The error says what is allowed.
func (p *Problem) With(key string, value float64) (*Problem, error) {
	q, at, ok := p.Param(key)
	if !ok {
		return nil, list.Unknown("parameter", key, list.Map(p.Params, func(q param.Param) string { return q.Key }))
	}
	if err := q.Check(value); err != nil {
		return nil, err
	}
	opened, values := p.Opened(), p.Values()
	values[at] = value
	again := func(spec string) (*Problem, error) { return Open(spec, Options{}) }
	if opened.reopen != nil {
		again = func(string) (*Problem, error) { return opened.reopen(values) }
	}
	spec := opened.Spec
	same := true
	for i, q := range p.Params {
		if values[i] != q.Default {
			same = false
			spec = withSetting(spec, strings.TrimPrefix(q.Key, KeyPrefix), format(values[i]))
		}
	}
	if same {
		return opened.Plus(p.Added)
	}
	to, err := again(spec)
	if err != nil {
		return nil, err
	}
	to.Params, to.opened, to.values = opened.Params, opened, values
	return to.Plus(p.Added)
}

// withSetting is a spec with a value of a setting, or without the setting where the value is empty. Those of a formula,
// and of statements, begin behind its first semicolon, those of other targets behind the colon.
func withSetting(spec, key, value string) string {
	family, args, _ := strings.Cut(spec, ":")
	var head, settings []string
	if args != "" {
		settings = strings.Split(args, ";")
	}
	if family == densityFamilyName || family == dataFamilyName {
		head, settings = settings[:1], settings[1:]
	}
	if value == "" {
		settings = slices.DeleteFunc(settings, func(s string) bool { return strings.HasPrefix(s, key+"=") })
		if text := strings.Join(append(slices.Clone(head), settings...), ";"); text != "" {
			family += ":" + text
		}
		return family
	}
	set := key + "=" + value
	if at := slices.IndexFunc(settings, func(s string) bool { return strings.HasPrefix(s, key+"=") }); at >= 0 {
		settings = slices.Clone(settings)
		settings[at] = set
	} else {
		settings = append(slices.Clone(settings), set)
	}
	return family + ":" + strings.Join(append(slices.Clone(head), settings...), ";")
}

package child

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/psgld/psgld-tui/targets/tool/printable"
)

// Version is that of the protocol.
const Version = 1

// Bounds of what a first line may say.
const (
	MaxDim   = 1 << 20
	maxData  = 10_000_000 // each chain has an order of all rows
	maxLine  = 1 << 20    // bytes
	maxNamed = 1_000      // coordinates with names
	maxName  = 40         // characters of a name
)

// A Hello is what a child says of its model in its first line, one JSON object.
type Hello struct {
	Version     int      `json:"psgld"`           // of the protocol
	Dim         int      `json:"dim"`             // D
	Names       []string `json:"names,omitempty"` // of the coordinates, D of them or none
	Data        int      `json:"data"`            // N, 0 for a density without data
	Minibatches bool     `json:"minibatches"`     // it takes the rows of a minibatch
	LogDensity  bool     `json:"log_density"`     // its answers hold the log-likelihood
	Repeats     bool     `json:"repeats"`         // the same question has the same answer, to the bit
	Scale       bool     `json:"scale,omitempty"` // what is shown is another vector than θ, and it is asked for that
}

// ParseHello reads a first line, without its line end. The error says what is wrong and what is allowed.
func ParseHello(line []byte) (Hello, error) {
	var h Hello
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(&h); err != nil {
		if field, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
			return h, fmt.Errorf("has the key %s, want psgld, dim, names, data, minibatches, log_density, repeats and scale",
				printable.Line(field))
		}
		if t, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && t.Field != "" {
			return h, fmt.Errorf("has a JSON %s for %s", t.Value, t.Field)
		}
		return h, fmt.Errorf("is %s, want a JSON object such as {\"psgld\": %d, \"dim\": 2}", quote(line), Version)
	}
	if _, err := d.Token(); err != io.EOF {
		return h, fmt.Errorf("goes on after the JSON object: %s", quote(line[d.InputOffset():]))
	}
	return h, h.validate()
}

func (h *Hello) validate() error {
	switch {
	case h.Version != Version:
		return fmt.Errorf("is of the protocol's version %d, this program speaks %d (\"psgld\": %d)",
			h.Version, Version, Version)
	case h.Dim < 1 || h.Dim > MaxDim:
		return fmt.Errorf("says dim %d, want 1 to %d", h.Dim, MaxDim)
	case h.Data < 0 || h.Data == 1 || h.Data > maxData:
		return fmt.Errorf("says data %d, want 0 for none, or 2 to %d", h.Data, maxData)
	case h.Minibatches && h.Data == 0:
		return errors.New("says that it takes minibatches, and has no data")
	case h.Names != nil && len(h.Names) != h.Dim:
		return fmt.Errorf("has %d names for %d coordinates", len(h.Names), h.Dim)
	case len(h.Names) > maxNamed:
		return fmt.Errorf("has %d names, want at most %d, or none", len(h.Names), maxNamed)
	}
	seen := map[string]bool{}
	for i, name := range h.Names {
		switch {
		case name == "" || utf8.RuneCountInString(name) > maxName || !printable.All(name) ||
			strings.ContainsAny(name, " ,;\"'"):
			return fmt.Errorf("names coordinate %d %s, want 1 to %d characters without blanks, commas, semicolons and "+
				"quotes", i+1, quote([]byte(name)), maxName)
		case seen[name]:
			return fmt.Errorf("names two coordinates %q", name)
		}
		seen[name] = true
	}
	return nil
}

// isText reports whether bytes begin as a text does.
func isText(b []byte) bool {
	r, _ := utf8.DecodeRune(b)
	return r == '\n' || r == '\t' || r != utf8.RuneError && printable.Is(r)
}

// quote is the beginning of a text of the child's for an error.
func quote(text []byte) string {
	const most = 60
	line, _, _ := bytes.Cut(bytes.TrimLeft(text, "\r\n"), []byte("\n"))
	return `"` + printable.Short(strings.TrimRight(string(line), "\r"), most) + `"`
}

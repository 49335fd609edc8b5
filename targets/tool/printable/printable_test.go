package printable_test

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/psgld/psgld-tui/targets/tool/printable"
)

func TestLine(t *testing.T) {
	for in, want := range map[string]string{
		"plain ε日本🏴\u200d☠️\ue0b0":   "plain ε日本🏴\u200d☠️\ue0b0",
		"a\tb\nc\r\nd\u0085e\u2028f": "a b c  d e f",
		"\x1b[31m\x00\a\x7f":         "·[31m···",
		"\u009b2J\u009d0;x\u009c":    "·2J·0;x·",
		"\x9b2J\xe2\x28":             "\ufffd2J\ufffd(",
		"\u202egnp.exe\u2066\u200f":  "·gnp.exe··",
		"a\u00adb\u200bc\ufeffd":     "a·b·c·d",
		"\U000e0041\ufdd0\u115f":     "···",
		"\u0600\u0645\u200c\u0627":   "\u0600\u0645\u200c\u0627",
		"already \ufffd":             "already \ufffd",
	} {
		if got := printable.Line(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
		if printable.All(in) != (in == want) {
			t.Errorf("%q: All is %v", in, printable.All(in))
		}
	}
	if got := printable.Lines("a\x1bb\n\n\t\u009bc\r\n"); got != "a·b\n\n\t·c \n" {
		t.Errorf("%q", got)
	}
}

// FuzzLine checks that what is masked is printable, stays as it is when masked again, and has
// as many characters, and that a JSON document means the same.
func FuzzLine(f *testing.F) {
	for _, s := range []string{"", "a\x1b[2Jb", "\u009b\x9b", "\u202e\U000e0041\U0001f600", "\n\r\t"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		line := printable.Line(s)
		if !printable.All(line) || printable.Line(line) != line ||
			utf8.RuneCountInString(line) != utf8.RuneCountInString(s) {
			t.Errorf("%q became %q", s, line)
		}
		document, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		masked := printable.JSON(document)
		var plain, got string
		if !printable.All(string(masked)) || json.Unmarshal(document, &plain) != nil ||
			json.Unmarshal(masked, &got) != nil || got != plain {
			t.Errorf("%q became %q, which is %q", document, masked, got)
		}
	})
}

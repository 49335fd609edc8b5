package quantity

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/nets/tool/alloctest"
)

// What is asked for is read back as it is written, and what cannot be asked for is refused in a line that says what is
// allowed.
func TestParseUntil(t *testing.T) {
	for _, text := range []string{"ess=400", "rhat=1.01", "mcse=0.01", "mcse=0.01,ess=400,rhat=1.01", "ess=1e+15"} {
		u, err := ParseUntil(text)
		if err != nil || u.String() != text || !u.Wanted() {
			t.Errorf("%q is read as %q, %v", text, u, err)
		}
		b, err := json.Marshal(u)
		var back Until
		if err != nil || json.Unmarshal(b, &back) != nil || back != u {
			t.Errorf("%q is %s in JSON, which is read as %q", text, b, back)
		}
	}
	if u, err := ParseUntil(" RHAT = 1.05 , ess= 4e2"); err != nil || u[RHat] != 1.05 || u[ESS] != 400 {
		t.Errorf("spaces and capitals: %q, %v", u, err)
	}
	for text, want := range map[string]string{
		"": "such as", "ess": "such as", "tau=3": "such as", "ess=400;rhat=1.01": "ess must be positive", "ess=0": "must be positive", "ess=NaN": "must be positive",
		"ess=Inf": "must be finite", "rhat=1": "in (1, 2]", "rhat=3": "in (1, 2]", "mcse=2": "in (0, 1]", "ess=3,ess=4": "twice", "ess=3,": "such as",
	} {
		if u, err := ParseUntil(text); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") || u.Wanted() {
			t.Errorf("%q: %q, %v, want an error with %q", text, u, err, want)
		}
	}
	var u Until
	if err := json.Unmarshal([]byte(`"ess=-1"`), &u); err == nil {
		t.Error("a recording may ask for ess=-1")
	}
	if b, err := json.Marshal(struct {
		U Until `json:"u,omitzero"`
	}{}); string(b) != "{}" || err != nil {
		t.Errorf("nothing asked for is %s, %v", b, err)
	}
}

// Looks are after 100 draws and then a tenth later each.
func TestNextLook(t *testing.T) {
	var all []uint64
	for n := uint64(0); len(all) < 8; n = all[len(all)-1] {
		all = append(all, NextLook(n))
	}
	for i, want := range []uint64{100, 110, 121, 133, 146, 160, 176, 193} {
		if all[i] != want || NextLook(want-1) != want {
			t.Errorf("look %d is at %d, want %d", i, all[i], want)
		}
	}
	looks := 0
	for n := NextLook(1e5); n <= 1e6; n = NextLook(n) {
		looks++
	}
	if looks != 24 {
		t.Errorf("%d looks in a decade", looks)
	}
	var next uint64
	if n := alloctest.PerRun(10, func() { next = NextLook(1e9) }); n > 0 || next <= 1e9 {
		t.Errorf("%g allocations", n)
	}
}

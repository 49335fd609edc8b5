package engine_test

import (
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/numerics"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/nets/tool/simd"
)

// TestIncomparable checks that digests are compared between like and like alone, and that
// commands are played all the same.
func TestIncomparable(t *testing.T) {
	record := func(target string, numerics int, other bool) engine.Recording {
		return engine.Recording{
			Numerics: numerics, OtherDigits: other, Config: state.Config{Target: target}, End: []uint64{9},
			Events: []state.Event{{At: []uint64{5}, Digests: []string{"d"}, Command: state.SetParam{Key: "eps", Value: 1}}},
		}
	}
	here := simd.OtherDigits()
	for _, c := range []struct {
		rec  engine.Recording
		want string
	}{
		{record("gaussian", numerics.Version, here), ""},
		{record("gaussian", numerics.Version, !here), ""},
		{record("mlp:4", numerics.Version, here), ""},
		{record("mlp:4", numerics.Version, !here), "one fuses products with sums"},
		{record("gaussian", numerics.Version+1, here), "cannot be compared with those of version"},
		{record("gaussian", 1, here), ""},
		{record("mlp:4", 1, here), ""},
		{record("cnn:5", numerics.Version, here), ""},
		{record("cnn:5", 1, here), "cannot be compared with those of version"},
	} {
		err, script := c.rec.Incomparable(), c.rec.Script()
		if (err != nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.rec.Config.Target, err, c.want)
		}
		if got := len(script[0].Digests) > 0; got != (c.want == "") || len(script) != 2 {
			t.Errorf("%s: a script of %d events, digests to compare: %t", c.rec.Config.Target, len(script), got)
		}
		if c.rec.Events[0].Digests == nil {
			t.Error("the recording has lost its digests")
		}
	}
	old, err := engine.ReadRecording(strings.NewReader(`{"psgld_recording":1,"config":{"target":"gaussian"},"end":[1]}`))
	if err != nil || old.Numerics != 1 {
		t.Errorf("a recording without a numerics version has %d, %v; want 1", old.Numerics, err)
	}
}

// Events stand in the order in which they happened. A restart and a lane that is new begin at 0.
func TestRecordedEventsAreInOrder(t *testing.T) {
	event := func(command, with string, at string) string {
		digests := strings.Repeat(`,"d"`, strings.Count(at, ",")+1)[1:]
		return `{"at":[` + at + `],"digests":[` + digests + `],"command":"` + command + `","with":` + with + `}`
	}
	turn := func(at string) string { return event("set-param", `{"lane":-1,"key":"eps","value":1}`, at) }
	for _, c := range []struct{ events, end, want string }{
		{turn("5,7") + "," + turn("5,9") + "," + event("restart", "{}", "6,9") + "," + turn("0,2"), "1,2", ""},
		{turn("5") + "," + event("add-lane", `{"name":"sgld"}`, "6") + "," + turn("6,3"), "7,3", ""},
		{turn("5,7") + "," + turn("8,6"), "9,9", "event 2 of the recording is after 6 steps of lane B, want at least the 7 of what stands before it"},
		{event("restart", "{}", "6") + "," + turn("4") + "," + turn("3"), "9", "event 3 of the recording is after 3 steps of lane A, want at least the 4 of what stands before it"},
		{turn("5"), "4", "the end of the recording is after 4 steps of lane A, want at least the 5 of what stands before it"},
	} {
		_, err := engine.ReadRecording(strings.NewReader(`{"psgld_recording":1,"config":{"target":"gaussian"},"events":[` + c.events + `],"end":[` + c.end + `]}`))
		if c.want == "" && err != nil || c.want != "" && (err == nil || err.Error() != c.want) {
			t.Errorf("%s: error %v, want %s", c.events, err, c.want)
		}
	}
}

// A recording has at most so many parts, however small each is.
func TestRecordingsAreBounded(t *testing.T) {
	for what, text := range map[string]string{
		"lanes":   `{"psgld_recording":1,"config":{"lanes":[` + strings.Repeat("{},", 1<<19) + `{}]}}`,
		"lists":   strings.Repeat("[", 1<<19+1),
		"digests": `{"digests":[` + strings.Repeat("{},", 1<<19) + `{}]}`,
	} {
		if _, err := engine.ReadRecording(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), "objects and lists, want at most 524288") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

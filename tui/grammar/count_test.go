package grammar

import "testing"

// A number that is too large is told from one that is not whole.
func TestCount(t *testing.T) {
	for text, want := range map[string]string{
		"99999999999999999999": "must be a whole number below 2⁵³, got 99999999999999999999",
		"1e16":                 "must be a whole number below 2⁵³, got 1e16",
		"1e400":                "must be a whole number below 2⁵³, got 1e400",
		"inf":                  "must be a whole number, 1 or more, got inf",
		"nan":                  `must be a whole number, 1 or more, got "nan"`,
		"-1e400":               "must be a whole number, 1 or more, got -1e400",
		"2.5":                  "must be a whole number, 1 or more, got 2.5",
		"10k":                  `must be a whole number, 1 or more, got "10k"`,
		"0":                    "must be a whole number, 1 or more, got 0",
	} {
		if n, err := Count(text, 1); err == nil || err.Error() != want {
			t.Errorf("%s: %d, %v, want %s", text, n, err, want)
		}
	}
	for text, want := range map[string]uint64{"2e5": 200_000, " 7 ": 7, "18446744073709551615": 1<<64 - 1} {
		if n, err := Count(text, 1); err != nil || n != want {
			t.Errorf("%s: %d, %v", text, n, err)
		}
	}
}

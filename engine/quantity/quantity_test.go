package quantity

import (
	"strings"
	"testing"
)

// TestTable checks that every entry says what it is, and that no key or older key has two meanings.
func TestTable(t *testing.T) {
	for name, all := range map[string][]Quantity{"All": All[:], "Coordinates": Coordinates[:]} {
		seen := map[string]bool{}
		for i := range all {
			q := &all[i]
			if q.Key == "" || q.Symbol == "" || q.Name == "" || q.Doc == "" {
				t.Errorf("%s %d: an incomplete entry: %+v", name, i, q)
			}
			if (q.read == nil) == (q.score == nil) || (q.score != nil) != (q.Basis == Predictions) {
				t.Errorf("%s: %s is read in no way or two, or is a score without a prediction", name, q.Key)
			}
			if strings.HasSuffix(q.Doc, ".") || strings.ToLower(q.Key) != q.Key {
				t.Errorf("%s: %s: %q", name, q.Key, q.Doc)
			}
			for _, key := range append([]string{q.Key}, q.Aliases...) {
				if seen[key] {
					t.Errorf("%s: the key %s has two meanings", name, key)
				}
				seen[key] = true
			}
		}
	}
	if id, ok := Find("tau"); !ok || id != MaxACT {
		t.Errorf("tau is %v, %v", id, ok)
	}
	if id, ok := Find("cov-error"); !ok || id != CovError {
		t.Errorf("cov-error is %v, %v", id, ok)
	}
	if _, ok := FindCoord("cov_error"); ok {
		t.Error("a coordinate has a covariance error")
	}
}

//go:build slow

package metrics

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// calibrationRuns is how many chains of each kind the calibration looks at.
const calibrationRuns = 200

// The τ of kinds that are simulated, from chains a thousand times as long as those that are judged by it at their longest.
func TestTauOfKinds(t *testing.T) {
	for _, k := range kinds() {
		if !strings.HasPrefix(k.name, "banana") && !strings.HasPrefix(k.name, "pSGLD") {
			continue
		}
		x := make([]float64, 4_000_000)
		k.fill(rand.New(rand.NewPCG(1, 18)), x)
		e := chainOf(ones(len(x)), x).ACT(0)
		// Three standard errors at τ = 20, and the lean of a maximum at n/τ = 200,000.
		if tol := 3*tauError(k.tau, len(x)) + 0.02; !e.OK() || math.Abs(e.Value/k.tau-1) > tol {
			t.Errorf("%s: τ %+v, want %v within %.2g", k.name, e, k.tau, tol)
		}
	}
}

package study

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/tool/atomicfile"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/regular"
)

// truthVersion is that of the chains and of the file. A truth of another version is found anew.
const truthVersion = 4

// key is a hash of everything that a truth depends on.
func (t *Truth) key() string {
	h := sha256.New()
	l, c := t.lane(), t.Config
	fmt.Fprintf(h, "truth %d\n%s\n%s %v %v\n%s\n%d chains of %d\nseed %d\n",
		truthVersion, c.Target, c.Dataset, c.Standardize, c.Intercept, l.Sampler, truthChains, t.draws(), c.Seed)
	m, _ := catalog.Find(l.Sampler)
	for _, q := range m.All() {
		fmt.Fprintf(h, "%s=%x\n", q.Key, math.Float64bits(l.Value(q.Key)))
	}
	_ = binary.Write(h, binary.LittleEndian, t.data()) // a hash takes all
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// data identifies the data by what a sampler sees of them: the log-likelihood of all data
// and its gradient at three random places.
func (t *Truth) data() (seen []float64) {
	p := t.Problem
	target, ok := p.F64.(targets.LikelihoodGradient[float64])
	if !ok {
		return nil
	}
	theta, grad := make([]float64, p.Dim()), make([]float64, p.Dim())
	s := noise.New(0, 0, noise.Start)
	for i := range uint64(3) {
		noise.Fill(s.At(i), theta)
		for j := range theta {
			theta[j] *= 0.1
		}
		seen = append(seen, target.GradLogLik(grad, theta, nil))
		seen = append(seen, grad...)
	}
	return append(seen, float64(p.N()), float64(p.Dim()))
}

// file is the form of a file in the cache.
type file struct {
	Sum   string          `json:"sha256"`
	Truth json.RawMessage `json:"truth"`
}

func (t *Truth) path() string { return filepath.Join(t.Cache, t.key()+".json") }

// maxTruth bounds a file in the cache, in bytes: a covariance of 1,000 coordinates takes 20 MB.
const maxTruth = 64 << 20

// read returns the truth from the cache. It is false if the file is missing, damaged or of other draws.
func (t *Truth) read() (found *targets.Reference, ok bool) {
	if t.Cache == "" {
		return found, false
	}
	b, err := regular.Read(t.path(), maxTruth)
	if err != nil {
		return found, false
	}
	var f file
	if json.Unmarshal(b, &f) != nil || f.Sum != checksum(f.Truth) || json.Unmarshal(f.Truth, &found) != nil {
		return nil, false
	}
	d, quantiles := t.dim(), 0
	if t.function() != nil {
		quantiles = d
	}
	return found, found != nil && len(found.Quantiles) == quantiles && len(found.Mean) == d && len(found.SD) == d &&
		(found.Cov == nil || len(found.Cov) == d*d) && found.Draws == t.Total()
}

func (t *Truth) write(found *targets.Reference) error {
	if t.Cache == "" {
		return errors.New("there is no folder for it")
	}
	raw, err := json.Marshal(found)
	if err != nil {
		return fmt.Errorf("cannot write it: %w", err)
	}
	b, err := json.Marshal(file{Sum: checksum(raw), Truth: raw})
	if err != nil {
		return fmt.Errorf("cannot write it: %w", err)
	}
	if err := os.MkdirAll(t.Cache, 0o777); err != nil {
		return atomicfile.CannotWrite(t.Cache, err)
	}
	return atomicfile.Write(t.path(), append(b, '\n'))
}

// checksum is that of JSON whatever its indentation.
func checksum(raw []byte) string {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return ""
	}
	sum := sha256.Sum256(b.Bytes())
	return hex.EncodeToString(sum[:])
}

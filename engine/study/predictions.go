package study

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/engine/tool/atomicfile"
	"github.com/psgld/psgld-tui/engine/tool/numpy"
	"github.com/psgld/psgld-tui/metrics/predictive"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/regular"
)

// PredictionsFolder is the folder of predictions beside a results file.
const PredictionsFolder = "predictions"

// Predictions are folders with the predictions of sessions on their test sets, a file each. The file of a job is its
// hash with the ending ".npz". It names the job and the digest of its session's first lane, whose predictions they are,
// so that those of another session are never taken for them.
type Predictions struct {
	Dir  string   // where they are written
	From []string // where they are looked for besides
}

// PredictionsBeside are the folders beside results files.
func PredictionsBeside(results []string) []string {
	return list.Distinct(list.Map(results, func(path string) string {
		return filepath.Join(filepath.Dir(path), PredictionsFolder)
	}))
}

// ErrNoPredictions is the error of a session whose predictions were not kept.
var ErrNoPredictions = errors.New("its predictions were not kept")

// predictionsForm is the version of the files' form.
const predictionsForm = 1

// predictedBy is what a file says of the session.
type predictedBy struct {
	Form   int    `json:"psgld_predictions"`
	ID     string `json:"id"`
	Job    string `json:"job"`
	Digest string `json:"digest"`
	About  string `json:"about"`
}

// The files in an archive of predictions.
const (
	aboutFile    = "session.json"
	labelsFile   = "labels.npy"
	averagedFile = "averaged.npy"
	newestFile   = "newest.npy"
	partsFile    = "parts.npy"
	weightsFile  = "weights.npy"
)

// fullScale is the number that stands for a probability of 1.
const fullScale = math.MaxUint16

// aboutPredictions says what the arrays are.
const aboutPredictions = "labels: true classes of N test cases; averaged (N, C), newest (N, C), parts (K, N, C): class probabilities times 65535, " +
	"averaged over all kept draws, of the last draw, and averaged over K consecutive parts of the draws; weights (K): of the parts in the average"

func (p *Predictions) path(dir string, o Outcome) string { return filepath.Join(dir, o.Job+".npz") }

// digestOf is the digest of an outcome's first lane, "" without a lane.
func digestOf(o Outcome) string {
	if len(o.Lanes) == 0 {
		return ""
	}
	return o.Lanes[0].Digest
}

// Keep writes what a job's session predicts. It is on disk when Keep returns.
func (p *Predictions) Keep(o Outcome, k *predict.Kept) error {
	return p.write(o, pack(o, k))
}

func (p *Predictions) write(o Outcome, content []byte) error {
	if err := os.MkdirAll(p.Dir, 0o777); err != nil {
		return atomicfile.CannotWrite(p.Dir, err)
	}
	return atomicfile.Keep(p.path(p.Dir, o), content)
}

// Take copies the predictions of a session from the first folder that has them, unless they are where they belong. It
// is no error if there are none. That a file is not of the session is one.
func (p *Predictions) Take(o Outcome) error {
	if _, err := os.Stat(p.path(p.Dir, o)); err == nil {
		return nil
	}
	for _, dir := range p.From {
		content, err := readPredictions(p.path(dir, o))
		if errors.Is(err, ErrNoPredictions) {
			continue
		}
		if err == nil {
			_, err = unpack(o, content)
		}
		if err != nil {
			return fmt.Errorf("%s: %w; without the file its session is taken over without predictions", p.path(dir, o), err)
		}
		return p.write(o, content)
	}
	return nil
}

// Of reads the predictions of a session. The error is ErrNoPredictions if there are none.
func (p *Predictions) Of(o Outcome) (*predict.Kept, error) {
	if p == nil {
		return nil, ErrNoPredictions
	}
	content, err := readPredictions(p.path(p.Dir, o))
	if err != nil {
		return nil, err
	}
	k, err := unpack(o, content)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(p.path(p.Dir, o)), err)
	}
	return k, nil
}

// readPredictions reads a file, which must be a regular one of no more than numpy.MaxArchive bytes.
func readPredictions(path string) ([]byte, error) {
	b, err := regular.Read(path, numpy.MaxArchive)
	if errors.Is(err, fs.ErrNotExist) {
		err = ErrNoPredictions
	}
	return b, atomicfile.Cause(err)
}

// pack makes the file of what a job's session predicts.
func pack(o Outcome, k *predict.Kept) []byte {
	about, err := json.Marshal(predictedBy{predictionsForm, o.ID, o.Job, digestOf(o), aboutPredictions})
	if err != nil {
		panic(err) // plain data
	}
	n, c := len(k.Labels), k.Classes
	labels := list.Map(k.Labels, func(y int32) uint8 { return uint8(y) })
	parts := list.Flat(k.Parts, func(x []float32) []uint16 { return packed(x, c) })
	return numpy.Pack(
		numpy.File{Name: aboutFile, Content: about},
		numpy.File{Name: labelsFile, Content: numpy.NPY([]int{n}, labels)},
		numpy.File{Name: averagedFile, Content: numpy.NPY([]int{n, c}, packed(k.Averaged, c))},
		numpy.File{Name: newestFile, Content: numpy.NPY([]int{n, c}, packed(k.Newest, c))},
		numpy.File{Name: partsFile, Content: numpy.NPY([]int{len(k.Parts), n, c}, parts)},
		numpy.File{Name: weightsFile, Content: numpy.NPY([]int{len(k.Weights)}, k.Weights)})
}

// packed rounds probabilities to multiples of 1/fullScale. The most probable class of a row, the lowest in a tie, stays
// that: a lower class that rounding has brought level with it is lowered by one.
func packed[F float32 | float64](probs []F, classes int) []uint16 {
	all := make([]uint16, len(probs))
	for at := 0; at < len(probs); at += classes {
		row, to := probs[at:][:classes], all[at:][:classes]
		for i, x := range row {
			to[i] = uint16(math.Round(fullScale * min(max(float64(x), 0), 1)))
		}
		top := predictive.Argmax(row)
		for i := range top {
			if to[i] == to[top] && to[i] > 0 {
				to[i]--
			}
		}
	}
	return all
}

// unpack reads the file of a job's session. Probabilities are as they were packed, so that a
// row's sum may be off by some 1/fullScale.
func unpack(o Outcome, b []byte) (*predict.Kept, error) {
	files, err := numpy.Unpack(b)
	if err != nil {
		return nil, err
	}
	var by predictedBy
	if err := json.Unmarshal(files[aboutFile], &by); err != nil || by.Form == 0 {
		return nil, errors.New("it is no file of predictions")
	}
	switch {
	case by.Form != predictionsForm:
		return nil, fmt.Errorf("it is of form %d, want %d: another version of the program wrote it", by.Form, predictionsForm)
	case by.Job != o.Job || by.Digest != digestOf(o):
		return nil, errors.New("it is of another session")
	}
	labels, shape, err0 := numpy.Read[uint8](files[labelsFile], 1)
	averaged, as, err1 := numpy.Read[uint16](files[averagedFile], 2)
	newest, ns, err2 := numpy.Read[uint16](files[newestFile], 2)
	parts, ps, err3 := numpy.Read[uint16](files[partsFile], 3)
	weights, ws, err4 := numpy.Read[float64](files[weightsFile], 1)
	if err := errors.Join(err0, err1, err2, err3, err4); err != nil {
		return nil, errors.New("it is a damaged file of predictions")
	}
	n, c := shape[0], as[1]
	size := n * c
	if c < 2 || size/c != n || !slices.Equal(as, []int{n, c}) || !slices.Equal(ns, as) || !slices.Equal(ps, []int{ws[0], n, c}) ||
		slices.ContainsFunc(labels, func(y uint8) bool { return int(y) >= c }) ||
		slices.ContainsFunc(weights, func(w float64) bool { return !(w > 0) || math.IsInf(w, 0) }) {
		return nil, errors.New("it is a damaged file of predictions")
	}
	return &predict.Kept{
		Labels: list.Map(labels, func(y uint8) int32 { return int32(y) }), Classes: c, Weights: weights,
		Averaged: unpacked[float64](averaged), Newest: unpacked[float64](newest),
		Parts: list.Map(list.Upto(ws[0]), func(i int) []float32 { return unpacked[float32](parts[i*size:][:size]) }),
	}, nil
}

func unpacked[F float32 | float64](all []uint16) []F {
	return list.Map(all, func(x uint16) F { return F(float64(x) / fullScale) })
}

package export

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/tool/atomicfile"
	"github.com/psgld/psgld-tui/engine/tool/numpy"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// Weights begins the files of --weights: a folder for each lane with its newest θ, as
// arrays in NumPy's form. It makes the folders, if need be, and checks that they can be
// written and have no array of another network, which would be taken for one of this.
func Weights(out *Output, dir string, lanes []state.Setting, p *targets.Problem) error {
	out.last = append(out.last, func(s *session.Session) error { return writeWeights(out, dir, s.NewestThetas()) })
	names := arrayNames(p)
	for i, lane := range lanes {
		at := filepath.Join(dir, laneFolder(state.LaneLetter(i), lane.Sampler))
		err := out.folder(at)
		if err == nil {
			err = atomicfile.Check(filepath.Join(at, names[0]))
		}
		if err == nil {
			err = onlyArrays(at, names)
		}
		if err != nil {
			return fmt.Errorf("--weights: %w", err)
		}
	}
	return nil
}

// onlyArrays checks that the arrays in a folder are among names.
func onlyArrays(dir string, names []string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("cannot read %s: %w", dir, atomicfile.Cause(err))
	}
	for _, e := range entries {
		if filepath.Ext(e.Name()) == ".npy" && !slices.Contains(names, e.Name()) {
			return atomicfile.CannotWrite(dir, errors.New("it has "+e.Name()+", which is no array of this target"))
		}
	}
	return nil
}

func writeWeights(out *Output, dir string, lanes []engine.NewestTheta) error {
	for _, l := range lanes {
		for _, a := range arrays(l) {
			err := out.Write(filepath.Join(dir, laneFolder(l.Lane, l.Sampler), a.name), numpy.NPY(a.shape, a.values))
			if err != nil {
				return fmt.Errorf("--weights: %w", err)
			}
		}
	}
	return nil
}

// laneFolder is a lane in the name of a file or folder. A colon in a sampler's name is none there.
func laneFolder(lane, method string) string {
	return lane + "-" + strings.ReplaceAll(method, ":", "-")
}

// An array is a part of θ to be written: its values, row by row, are a []float32 or a []float64.
type array struct {
	name   string
	shape  []int
	values any
}

// arrays are a lane's θ: of a network, an array for each layer's weights and biases, and else one of all. Weights have
// a row for each unit or channel, as PyTorch's have, where θ has a column. In a row are its inputs in the order (row,
// column, channel), in which networks keep images.
func arrays(l engine.NewestTheta) []array {
	if l.F32 != nil {
		return parts(l.Layers, l.F32)
	}
	return parts(l.Layers, l.F64)
}

func parts[F float32 | float64](layers []targets.Layer, theta []F) []array {
	if layers == nil {
		return []array{{thetaName, []int{len(theta)}, theta}}
	}
	var all []array
	for _, y := range layers {
		part := theta[y.From:y.To]
		if strings.Contains(y.Name, " ") { // a row of biases, which go by the layer before
			all = append(all, array{layerName(y), []int{len(part)}, part})
			continue
		}
		across := make([]F, 0, len(part))
		for column := range y.Cols {
			for row := range y.Rows {
				across = append(across, part[row*y.Cols+column])
			}
		}
		all = append(all, array{layerName(y), []int{y.Cols, y.Rows}, across})
	}
	return all
}

// arrayNames are the files that arrays makes of a target.
func arrayNames(p *targets.Problem) []string {
	t, ok := p.Impl().(targets.Layered)
	if !ok {
		return []string{thetaName}
	}
	return list.Map(t.Layers(), layerName)
}

const thetaName = "theta.npy"

// layerName is conv1.weight.npy for the layer conv1, and conv1.bias.npy for "conv1 bias".
func layerName(y targets.Layer) string {
	layer, kind, ok := strings.Cut(y.Name, " ")
	if !ok {
		kind = "weight"
	}
	return layer + "." + kind + ".npy"
}

package drawsfile

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/psgld/psgld-tui/engine/tool/numpy"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// Order is that of an array's axes: chains, steps and dim with commas between them. Empty is ByChains, where nobody
// gave one.
type Order string

// The orders that programs write. An array of two axes has no chains, and one of a single axis has steps alone.
const (
	ByChains Order = "chains,steps,dim"
	ByStep   Order = "steps,chains,dim" // emcee's
)

// ParseOrder reads an order.
func ParseOrder(text string) (Order, error) {
	axes := strings.Split(text, ",")
	slices.Sort(axes)
	if !slices.Equal(axes, []string{"chains", "dim", "steps"}) {
		return "", fmt.Errorf("has %q, want chains, steps and dim in the order of the array's axes, such as %s or %s",
			text, ByChains, ByStep)
	}
	return Order(text), nil
}

// axes are those of an array of so many, nil where no draws have them.
func (o Order) axes(n int) []string {
	axes := strings.Split(string(cmp.Or(o, ByChains)), ",")
	if n < 1 || n > len(axes) {
		return nil
	}
	for _, none := range []string{"chains", "dim"}[:len(axes)-n] {
		axes = slices.DeleteFunc(axes, func(axis string) bool { return axis == none })
	}
	return axes
}

// array is what an array holds, in the order of its axes.
type array struct {
	values []float64
	shape  []int
}

// is gives the array's chains, draws and coordinates as its axes are read.
func (a array) is(o Order) (chains, draws, dim int) {
	n := map[string]int{"chains": 1, "dim": 1}
	for k, axis := range o.axes(len(a.shape)) {
		n[axis] = a.shape[k]
	}
	return n["chains"], n["steps"], n["dim"]
}

// fits reports whether the array holds draws of d coordinates.
func (a array) fits(o Order, d int) bool {
	chains, _, dim := a.is(o)
	return o.axes(len(a.shape)) != nil && dim == d && chains <= maxChains
}

// chains are the array's draws.
func (a array) chains(o Order) [][]float64 {
	chains, draws, dim := a.is(o)
	values := a.values
	axes, stride := o.axes(len(a.shape)), map[string]int{}
	for k, step := len(axes)-1, 1; k >= 0; k-- {
		stride[axes[k]] = step
		step *= a.shape[k]
	}
	if !slices.Equal(axes, ByChains.axes(len(axes))) {
		values = make([]float64, 0, len(values))
		for i := range chains * draws * dim {
			values = append(values,
				a.values[i/(draws*dim)*stride["chains"]+i/dim%draws*stride["steps"]+i%dim*stride["dim"]])
		}
	}
	return slices.Collect(slices.Chunk(values, draws*dim))
}

// Otherwise are the same draws with the first two axes of each array taken as ByStep. ok is false where an order was
// given, or the draws can be nothing else.
func (d *Draws) Otherwise() (other *Draws, ok bool) {
	other = &Draws{Dim: d.Dim}
	for _, a := range d.arrays {
		if !a.fits(ByStep, d.Dim) {
			return nil, false
		}
		other.Chains = append(other.Chains, a.chains(ByStep)...)
	}
	return other, len(d.arrays) > 0
}

// Shape says how many chains there are, of how many draws.
func (d *Draws) Shape() string {
	return fmt.Sprintf("%s of %s", counted(len(d.Chains), "chain"), counted(d.Count()/max(len(d.Chains), 1), "draw"))
}

// readArray reads an array's chains.
func (f *File) readArray(r io.Reader) error {
	values, shape, err := numpy.ReadFloats(r, f.left)
	if err != nil {
		return err
	}
	return f.take(array{values, shape})
}

// take takes an array's chains for the file's.
func (f *File) take(a array) error {
	chains, draws, dim := a.is(f.o.Order)
	if f.o.Names == nil && dim <= maxColumns {
		names := list.Map(list.Upto(dim), func(i int) string { return fmt.Sprintf("theta[%d]", i+1) })
		f.call(names)
	}
	d := len(f.row)
	if !a.fits(f.o.Order, d) {
		return faultf(f.name, 0,
			"the array has the shape %s, want (draws, %d) or (chains, draws, %d) with at most %d chains, or the "+
				"axes in --order, such as %s for emcee's", numpy.Shape(a.shape), d, d, maxChains, ByStep)
	}
	if len(a.values) == 0 {
		return faultf(f.name, 0, "the array has the shape %s, and so no draw", numpy.Shape(a.shape))
	}
	f.Chains = a.chains(f.o.Order)
	if err := f.judge(); err != nil {
		return err
	}
	f.left -= len(a.values)
	if f.array = new(array); len(a.shape) == 3 && f.o.Order == "" {
		*f.array = a
		other := ""
		if a.fits(ByStep, d) {
			other = fmt.Sprintf("; --order %s for emcee's", ByStep)
		}
		f.notef("read as %s of %s%s", counted(chains, "chain"), counted(draws, "draw"), other)
	}
	return nil
}

// judge leaves out the draws that have NaN or an infinity, which it counts, where the file is followed, and refuses
// them elsewhere.
func (f *File) judge() error {
	for i, chain := range f.Chains {
		bad := slices.IndexFunc(chain, func(x float64) bool { return !finite(x) })
		switch dim := len(f.row); {
		case bad >= 0 && !f.o.Live:
			return faultf(f.name, 0, "%s of draw %d of chain %d is %v, want a finite number", f.o.Names[bad%dim],
				bad/dim+1, i+1, chain[bad])
		case bad >= 0:
			f.Chains[i] = nil
			for draw := range slices.Chunk(chain, dim) {
				if slices.ContainsFunc(draw, func(x float64) bool { return !finite(x) }) {
					f.Skipped++
				} else {
					f.Chains[i] = append(f.Chains[i], draw...)
				}
			}
		}
	}
	return nil
}

// readArchive reads the draws of an .npz: the array that alone can be draws, or one of each parameter.
func (f *File) readArchive(r io.Reader) error {
	b, err := io.ReadAll(io.LimitReader(r, numpy.MaxArchive+1))
	if err != nil {
		return err
	}
	if len(b) > numpy.MaxArchive {
		return faultf(f.name, 0, "the archive has more than %d bytes", numpy.MaxArchive)
	}
	files, err := numpy.Unpack(b)
	if err != nil {
		return err
	}
	all := slices.Sorted(maps.Keys(files))
	var fit, names, rest []string
	arrays := map[string]array{}
	for _, file := range all {
		name := strings.TrimSuffix(file, ".npy")
		values, shape, err := numpy.ReadFloats(bytes.NewReader(files[file]), f.left)
		a := array{values, shape}
		if err != nil || len(shape) == 0 {
			rest = append(rest, name)
			continue
		}
		arrays[name], names = a, append(names, name)
		if a.fits(f.o.Order, f.dim(a)) {
			fit = append(fit, name)
		}
	}
	ours := list.Filter(names, func(array string) bool { // of a target of several
		return slices.ContainsFunc(f.o.Names, func(name string) bool { base, _ := indexed(name); return base == array })
	})
	if fit = list.Filter(fit, parameters(names)); len(all) > 1 && len(fit) == 1 && len(ours) < 2 {
		if fit[0] != "theta" { // as --draws writes it, beside what is the sampler's
			f.notef("the array %s was read", listed(fit))
		}
		return f.take(arrays[fit[0]])
	}
	switch {
	case len(all) == 1 && strings.HasSuffix(all[0], ".json"):
		return f.readChains(files[all[0]])
	case len(all) == 1:
		return f.readArray(bytes.NewReader(files[all[0]])) // or its error
	case len(names) == 0:
		return faultf(f.name, 0, "none of %s is an array of float64 or float32", listed(rest))
	}
	if len(rest) > 0 {
		f.notef("left out, no arrays of float64 or float32: %s", listed(rest))
	}
	return f.readNamed(names, arrays)
}

// readNamed reads an array of each parameter. Its first axes are those of draws, or of chains and draws where all have
// both alike, and the others are the parameter's own.
func (f *File) readNamed(names []string, arrays map[string]array) error {
	lead := arrays[names[0]].shape
	for _, name := range names {
		shape := arrays[name].shape
		lead = lead[:min(len(lead), len(shape), 2)]
		for len(lead) > 0 && !slices.Equal(lead, shape[:len(lead)]) {
			lead = lead[:len(lead)-1]
		}
		if len(lead) == 0 {
			return faultf(f.name, 0, "the arrays %s have the shapes %s and %s, want both to begin with (draws) or "+
				"(chains, draws)", listed([]string{names[0], name}), numpy.Shape(arrays[names[0]].shape),
				numpy.Shape(shape))
		}
	}
	var header []string
	for _, name := range names {
		own := arrays[name].shape[len(lead):]
		columns := 1
		for _, n := range own {
			columns = min(columns*n, maxColumns+1)
		}
		if len(header)+columns > maxColumns || len(arrays[name].values) == 0 {
			return faultf(f.name, 0, "the array %s has the shape %s, want draws, of at most %d columns in all",
				listed([]string{name}), numpy.Shape(arrays[name].shape), maxColumns)
		}
		for i := range columns {
			label := ""
			for k := len(own) - 1; k >= 0; k-- { // the last index first
				label = fmt.Sprintf(",%d%s", i%own[k]+1, label)
				i /= own[k]
			}
			if label != "" {
				label = "[" + label[1:] + "]"
			}
			header = append(header, name+label)
		}
	}
	if err := f.fit(header); err != nil {
		return err
	}
	rows := slices.Concat(lead, []int{1})
	draws := rows[0] * rows[1]
	all := array{make([]float64, 0, draws*len(header)), slices.Concat(lead, []int{len(header)})}
	for r := range draws {
		for _, name := range names {
			values := arrays[name].values
			n := len(values) / draws
			all.values = append(all.values, values[r*n:r*n+n]...)
		}
	}
	if !all.fits(f.o.Order, len(header)) {
		return faultf(f.name, 0, "the arrays begin with %s, want (draws) or (chains, draws) with at most %d chains, "+
			"or --order %s", numpy.Shape(lead), maxChains, ByStep)
	}
	for _, chain := range all.chains(f.o.Order) {
		kept := make([]float64, 0, len(chain)/len(header)*len(f.row))
		for values := range slices.Chunk(chain, len(header)) {
			for c, i := range f.is {
				if i >= 0 {
					f.row[i] = values[c]
				}
			}
			kept = append(kept, f.row...)
		}
		f.left -= len(kept)
		f.Chains = append(f.Chains, kept)
	}
	other := ""
	if len(lead) > 1 && f.o.Order == "" {
		other = fmt.Sprintf("; --order %s for emcee's", ByStep)
	}
	f.array = new(array)
	f.notef("read as %s of %s%s", counted(len(f.Chains), "chain"), counted(draws/len(f.Chains), "draw"), other)
	return f.judge()
}

// dim is how many coordinates an array must have.
func (f *File) dim(a array) int {
	if f.o.Names == nil {
		_, _, dim := a.is(f.o.Order)
		return dim
	}
	return len(f.row)
}

// readChains reads posteriordb's draws: a list of chains, each an object from a parameter's name to its draws.
func (f *File) readChains(b []byte) error {
	var chains []map[string][]float64
	if err := json.Unmarshal(b, &chains); err != nil || len(chains) == 0 || len(chains) > maxChains {
		return faultf(f.name, 0, "the JSON is no list of 1 to %d chains, each an object from names to lists of draws, such "+
			`as [{"mu": [0.1, 0.2]}]`, maxChains)
	}
	header := slices.SortedFunc(maps.Keys(chains[0]), func(a, b string) int {
		one, i := indexed(a)
		other, j := indexed(b)
		return cmp.Or(cmp.Compare(one, other), slices.Compare(i, j), cmp.Compare(a, b))
	})
	if err := f.fit(header); err != nil {
		return err
	}
	for k, chain := range chains {
		draws := make([]float64, len(f.row)*len(chain[header[0]]))
		if f.left -= len(draws); f.left < 0 {
			return faultf(f.name, 0, "the draws have more than %d numbers", maxValues)
		}
		for c, name := range header {
			column := chain[name]
			if len(column) == 0 || len(column) != len(chain[header[0]]) || len(chain) != len(header) {
				return faultf(f.name, 0, "chain %d has %s of %s, want as many of each of %s in every chain", k+1,
					counted(len(column), "draw"), listed([]string{name}), listed(header))
			}
			for t, x := range column {
				if i := f.is[c]; i >= 0 {
					draws[t*len(f.row)+i] = x
				}
			}
		}
		f.Chains = append(f.Chains, draws)
	}
	f.array = new(array)
	return nil
}

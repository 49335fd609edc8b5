package cli

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/psgld/psgld-tui/engine/tool/atomicfile"
	"github.com/psgld/psgld-tui/targets/dataset"
	"github.com/psgld/psgld-tui/targets/dataset/fetch"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/cli/text"
	"github.com/psgld/psgld-tui/tui/plane"
)

func (e *env) dataCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "data",
		Short: "List, fetch or verify the data folder",
		RunE: func(c *cobra.Command, _ []string) error {
			return fmt.Errorf("data needs a command; want one of %s", strings.Join(commandNames(c), ", "))
		},
	}
	sub := func(use, short string, run func(dir string) error) {
		s := &cobra.Command{Use: use, Short: short}
		var dir string
		dataFlag(s, &dir)
		s.RunE = func(*cobra.Command, []string) error { return run(dataset.Dir(dir)) }
		c.AddCommand(s)
	}
	sub("list", "List the data sets that are known by name", e.dataList)
	c.AddCommand(e.fetchCommand())
	sub("verify", "Compare the data folder's files with their checksums", e.dataVerify)
	return c
}

func (e *env) dataList(dir string) error {
	e.Out.Line("data folder: %s", dir)
	fmt.Fprintln(e.Out)
	t := text.Table{Left: 4}
	t.Add("name", "rows", "what", "where")
	train, test := dataset.Synthetic()
	t.Add("strokes", "12,000 + 2,000", "handwriting-like digits, 28×28, drawn by the program", "built in")
	t.Add("synthetic", fmt.Sprintf("%s + %s", plane.Count(uint64(train.Rows)), plane.Count(uint64(test.Rows))),
		"generated, two classes", "built in")
	t.Add("cars", "50", "speed and braking distance, for data:", "built in")
	for _, k := range dataset.KnownSets() {
		where := "not found"
		if dataset.Present(dir, k) {
			where = filepath.Join(dir, k.Folder)
		}
		t.Add(k.Name, k.Rows, k.What, where)
	}
	t.Write(e.Out)
	return nil
}

func (e *env) dataVerify(dir string) error {
	t := text.Table{Left: 3}
	t.Add("name", "file", "state")
	states := map[dataset.State]int{}
	files := 0
	for _, k := range dataset.KnownSets() {
		for _, st := range dataset.Verify(dir, k) {
			state := st.State.String()
			switch st.State {
			case dataset.WrongSize:
				state += fmt.Sprintf(": %d bytes, want %d", st.Size, st.Want.Size)
			case dataset.WrongHash:
				state += ": the content is not what it should be"
			case dataset.Unreadable:
				state += ": " + st.Err.Error()
			}
			t.Add(k.Name, st.Path, state)
			states[st.State]++
			files++
		}
	}
	t.Write(e.Out)
	switch wrong := files - states[dataset.OK] - states[dataset.Missing]; {
	case files == states[dataset.Missing]:
		return console.Failed(fmt.Errorf("no data found in %s", dir))
	case wrong == 1:
		return console.Failed(fmt.Errorf("1 file in %s is not what it should be", dir))
	case wrong > 1:
		return console.Failed(fmt.Errorf("%d files in %s are not what they should be", wrong, dir))
	}
	return nil
}

func (e *env) fetchCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "fetch NAME…|all",
		Short: "Download data sets into the data folder",
		Long: "Download data sets from their public homes into the data folder. Files that are there and right are " +
			"left alone, " +
			"a download that broke off goes on where it stopped, and nothing appears before its checksum is right.",
		Example:   "psgld-tui data fetch mnist a9a",
		ValidArgs: append(setNames(), "all"),
		Args:      cobra.ArbitraryArgs,
	}
	var dir string
	dataFlag(c, &dir)
	c.RunE = func(c *cobra.Command, args []string) error {
		sets, err := setsOf(args)
		if err != nil {
			return err
		}
		return e.fetch(c.Context(), dataset.Dir(dir), sets, fetch.Options{})
	}
	return c
}

func setNames() []string {
	return list.Map(dataset.KnownSets(), func(k dataset.Known) string { return k.Name })
}

// setsOf finds the sets that are named.
func setsOf(args []string) ([]dataset.Known, error) {
	if len(args) == 0 {
		return nil, fmt.Errorf("data fetch needs a name; want all or some of %s", strings.Join(setNames(), ", "))
	}
	all := dataset.KnownSets()
	if slices.Equal(args, []string{"all"}) {
		return all, nil
	}
	var sets []dataset.Known
	for _, a := range args {
		i := slices.IndexFunc(all, func(k dataset.Known) bool { return k.Name == a })
		if i < 0 {
			return nil, fmt.Errorf("unknown data set %q%s; want all or some of %s", a,
				list.Hint("%q", a, append(setNames(), "all")), strings.Join(setNames(), ", "))
		}
		sets = append(sets, all[i])
	}
	return sets, nil
}

// fetch downloads sets one after another, a bar on a terminal and a line a file elsewhere.
func (e *env) fetch(ctx context.Context, dir string, sets []dataset.Known, o fetch.Options) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return console.Failed(atomicfile.CannotWrite(dir, err))
	}
	var newest atomic.Pointer[fetch.Progress]
	newest.Store(new(fetch.Progress))
	stop := console.StartProgress(e.Err, 0, func() (float64, string) {
		last, done := newest.Load(), math.NaN()
		if last.SetTotal > 0 {
			done = float64(last.SetDone) / float64(last.SetTotal)
		}
		label := last.Set + " " + last.File + " " + last.Stage.String()
		if last.Mirror != "" {
			label += " from " + last.Mirror
		}
		return done, label
	})
	o.Progress = func(p fetch.Progress) {
		last := newest.Swap(&p)
		changed := p.Set != last.Set || p.File != last.File || p.Stage != last.Stage
		if !console.IsTerminal(e.Err) && changed && (p.Stage == fetch.Skipped || p.Stage == fetch.Finished) {
			fmt.Fprintf(e.Err, "%s %s: %s\n", p.Set, p.File, p.Stage)
		}
	}
	var err error
	for i := 0; i < len(sets) && err == nil; i++ {
		err = fetch.Set(ctx, dir, sets[i], o)
	}
	stop()
	if err != nil {
		return console.Ended(ctx, err, "interrupted; what has come is kept, and the next fetch goes on from there")
	}
	for _, k := range sets {
		e.Out.Line("%s: in %s", k.Name, dir)
	}
	return nil
}

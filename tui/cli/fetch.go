package cli

import (
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/psgld/psgld-tui/engine/tool/atomicfile"
	"github.com/psgld/psgld-tui/targets/dataset"
	"github.com/psgld/psgld-tui/targets/dataset/fetch"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/cli/console"
)

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
	for _, k := range sets {
		if err = fetch.Set(ctx, dir, k, o); err != nil {
			break
		}
	}
	stop()
	switch {
	case err != nil && ctx.Err() != nil:
		return console.Exit(console.ExitInterrupted,
			fmt.Errorf("interrupted; what has come is kept, and the next fetch goes on from there"))
	case err != nil:
		return console.Failed(err)
	}
	for _, k := range sets {
		e.Out.Line("%s: in %s", k.Name, dir)
	}
	return nil
}

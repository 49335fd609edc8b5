package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/psgld/psgld-tui/targets/dataset"
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

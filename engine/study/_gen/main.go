// Command _gen finds the truth in function space of the targets that ship with one, and writes the file of these.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"

	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/targets"
)

func main() {
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func write(path string) error {
	all := map[string]*targets.Reference{}
	for _, spec := range []string{"regress", "classify"} {
		p, err := targets.Open(spec, targets.Options{})
		if err != nil {
			return err
		}
		t := study.Truth{Problem: p, Config: state.Config{Target: p.Spec, Seed: 1,
			Lanes: []state.Setting{state.DefaultSetting(p, "sgld")}, Truth: state.Truth{Sampler: "hmc"}}}
		ref, note, err := t.Run(context.Background())
		if err != nil {
			return err
		}
		fmt.Printf("%s: %d draws, R-hat %.4f, least ESS %.0f, rough %v\n", spec, ref.Draws, ref.RHat, ref.MinESS, note.Rough)
		for i := range ref.Mean {
			ref.Mean[i], ref.SD[i] = round(ref.Mean[i]), round(ref.SD[i])
			for k, x := range ref.Quantiles[i] {
				ref.Quantiles[i][k] = round(x)
			}
		}
		ref.RHat, ref.MinESS, ref.Tails = round(ref.RHat), round(ref.MinESS), round(ref.Tails)
		all[spec] = ref
	}
	text, err := json.Marshal(all)
	if err != nil {
		return err
	}
	text = bytes.ReplaceAll(text, []byte(`,"`), []byte(",\n\""))
	return os.WriteFile(path, append(text, '\n'), 0o666)
}

// round keeps four digits, a tenth of the errors or less.
func round(x float64) float64 {
	y, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 4, 64), 64)
	return y
}

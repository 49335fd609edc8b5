package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
)

// tune prints the ε of least error with the command that runs it, and the same digits on any number of threads.
func TestTune(t *testing.T) {
	innerlooptest.Numbers(t, "a whole search")
	var d struct {
		Target, Sampler, Command, Reason string
		Eps, Error_half, Error_twice     float64
		Error                            []float64
		Tried                            []struct {
			Eps     float64
			Settled bool
		}
		Missing *string
	}
	line := []string{"tune", "--samplers", "sgld", "--steps", "20000", "--json", "--threads"}
	one, two := ok(t, append(line, "1")...), ok(t, append(line, "4")...)
	if one != two {
		t.Errorf("one thread prints\n%s and four\n%s", one, two)
	}
	if err := json.Unmarshal([]byte(one), &d); err != nil {
		t.Fatal(err)
	}
	if d.Target != "gaussian" || d.Sampler != "sgld" || d.Eps < 0.035 || d.Eps > 0.065 || d.Missing != nil ||
		len(d.Error) != 3 || !(d.Error_half > d.Error[0] && d.Error_twice > d.Error[0]) || len(d.Tried) < 2 {
		t.Errorf("%+v", d)
	}
	if !strings.HasPrefix(d.Command, "psgld-tui run --samplers sgld --eps 0.0") || !strings.HasSuffix(d.Command, "--steps 20000") {
		t.Errorf("the command is %q", d.Command)
	}
}

// Where there is nothing to search for the status is 3, and the line says why.
func TestTuneWithoutAnEnd(t *testing.T) {
	r := runArgs(t, "tune", "--samplers", "hmc", "--json")
	status, out, err := r.status, r.out, r.err
	if status != 3 || !strings.Contains(out, `"eps":null`) || !strings.Contains(out, `"missing":"no search`) ||
		!strings.HasPrefix(err, "psgld-tui: no ε found: ") || strings.Contains(err, "no search") {
		t.Errorf("status %d\n%s\n%s", status, out, err)
	}
	if r := runArgs(t, "tune", "--steps", "10", "--seconds", "1"); r.status != 2 || !strings.Contains(r.err, "--seconds") {
		t.Errorf("two lengths: status %d, %s", r.status, r.err)
	}
}

// Several batches are searched at equal cost, and the answers say which is which.
func TestTuneBatches(t *testing.T) {
	innerlooptest.Skip(t, "whole searches")
	r := runArgs(t, "tune", "--target", "blr:synthetic", "--samplers", "sgld:schedule=poly:1e-4,1,0.5,hmc",
		"--batch", "10,40", "--steps", "2000", "--json")
	var d tuneDoc
	if err := json.Unmarshal([]byte(r.out), &d); err != nil {
		t.Fatal(err)
	}
	if len(d.Lanes) != 3 || *d.Lanes[0].Batch != 10 || d.Lanes[1].Sampler != "hmc" || *d.Lanes[2].Batch != 40 ||
		d.Lanes[0].Steps != 2000 || d.Lanes[2].Steps != 500 || d.Criterion != "expected_error" {
		t.Errorf("%s", r.out)
	}
	var auto tuneDoc
	r = runArgs(t, "tune", "--target", "gaussian", "--samplers", "sgld", "--batch", "auto", "--steps", "2000", "--json")
	if err := json.Unmarshal([]byte(r.out), &auto); err != nil || auto.Lanes != nil || auto.Missing != nil {
		t.Errorf("a target without data has one batch: %v, %s", err, r.out)
	}
	if r := runArgs(t, "tune", "--target", "blr:synthetic", "--batch", "10,x"); r.status != 2 ||
		!strings.Contains(r.err, "--batch") {
		t.Errorf("status %d, %s", r.status, r.err)
	}
}

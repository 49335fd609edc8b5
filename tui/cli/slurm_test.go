//go:build linux

package cli

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/psgld/psgld-tui/tui/cli/studies"
	"github.com/psgld/psgld-tui/tui/internal/ptytest"
)

// A slurm is a cluster of this machine alone, in a folder of its own.
type slurm struct {
	t       *testing.T
	dir     string
	daemons []*exec.Cmd
}

// slurmPrograms are what a cluster takes.
var slurmPrograms = []string{"munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol"}

// startSlurm brings a cluster up, or skips the test and says why. All of it ends
// with the test.
func startSlurm(t *testing.T) *slurm {
	t.Helper()
	if testing.Short() {
		t.Skip("a Slurm cluster takes a while")
	}
	// Debian has the daemons where a user's PATH does not lead.
	t.Setenv("PATH", os.Getenv("PATH")+":/usr/sbin:/sbin")
	for _, name := range slurmPrograms {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("no Slurm here: %v (Debian: apt-get install slurmctld slurmd slurm-client munge)", err)
		}
	}
	// Sockets' names have to be short.
	dir, err := os.MkdirTemp("/tmp", "slurm")
	if err != nil {
		t.Fatal(err)
	}
	s := &slurm{t: t, dir: dir}
	t.Cleanup(s.end)
	if err := os.Chmod(dir, 0o711); err != nil { // munged wants its socket to be reached by all
		t.Fatal(err)
	}
	for _, d := range []string{"state", "spool", "jobs"} {
		if err := os.Mkdir(s.path(d), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	key := make([]byte, 1024)
	_, _ = rand.Read(key) // never fails
	if err := os.WriteFile(s.path("munge.key"), key, 0o600); err != nil {
		t.Fatal(err)
	}
	me, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	host, _, _ = strings.Cut(host, ".")
	write(t, s.path("slurm.conf"), strings.NewReplacer("DIR", dir, "HOST", host, "USER", me.Username,
		"PORT1", s.port(), "PORT2", s.port()).Replace(slurmConf))
	t.Setenv("SLURM_CONF", s.path("slurm.conf"))
	s.start("munged", "--foreground", "--key-file", s.path("munge.key"), "--socket", s.path("munge.sock"), "--pid-file",
		s.path("munged.pid"),
		"--log-file", s.path("munged.log"), "--seed-file", s.path("munge.seed"))
	s.until("munged", func() bool { _, err := os.Stat(s.path("munge.sock")); return err == nil })
	s.start("slurmctld", "-D", "-f", s.path("slurm.conf"))
	s.start("slurmd", "-D", "-f", s.path("slurm.conf"), "-N", host)
	s.until("the node", func() bool {
		out, err := exec.Command("scontrol", "show", "node", host).CombinedOutput()
		return err == nil && bytes.Contains(out, []byte("State=IDLE"))
	})
	return s
}

// slurmConf is a cluster of one node, without accounting or control groups. The
// node is said to have more processors than there may be, so that the tasks of an
// array run side by side anywhere.
const slurmConf = `ClusterName=test
SlurmctldHost=HOST(127.0.0.1)
SlurmctldPort=PORT1
SlurmdPort=PORT2
SlurmUser=USER
SlurmdUser=USER
AuthType=auth/munge
AuthInfo=socket=DIR/munge.sock
CredType=cred/munge
StateSaveLocation=DIR/state
SlurmdSpoolDir=DIR/spool
SlurmctldPidFile=DIR/slurmctld.pid
SlurmdPidFile=DIR/slurmd.pid
SlurmctldLogFile=DIR/slurmctld.log
SlurmdLogFile=DIR/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_interval=1
SlurmdParameters=config_overrides
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
NodeName=HOST NodeAddr=127.0.0.1 CPUs=3 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=5 State=UP
`

func (s *slurm) path(name string) string { return filepath.Join(s.dir, name) }

// port is one that is free.
func (s *slurm) port() string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return fmt.Sprint(l.Addr().(*net.TCPAddr).Port)
}

// start starts a daemon in the foreground, in a process group of its own.
func (s *slurm) start(name string, args ...string) {
	log, err := os.Create(s.path(name + ".out"))
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = log.Close() }() // the daemon has its own
	c := exec.Command(name, args...)
	c.Stdout, c.Stderr = log, log
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := c.Start(); err != nil {
		s.t.Skipf("%s does not start here: %v", name, err)
	}
	s.daemons = append(s.daemons, c)
}

// until waits for what a cluster has to come to, or skips the test.
func (s *slurm) until(what string, ready func() bool) {
	s.t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if ready() {
			return
		}
	}
	s.t.Skipf("no Slurm cluster here: %s is not up after 20 s:%s", what, s.logs())
}

// logs are the daemons' last words.
func (s *slurm) logs() string {
	var all strings.Builder
	for _, name := range []string{"munged.out", "munged.log", "slurmctld.out", "slurmctld.log", "slurmd.out",
		"slurmd.log"} {
		if b, err := os.ReadFile(s.path(name)); err == nil {
			fmt.Fprintf(&all, "\n%s: %s", name, b[max(0, len(b)-800):])
		}
	}
	return all.String()
}

// end ends the daemons, and what they have started, and removes the folder.
func (s *slurm) end() {
	for i := len(s.daemons) - 1; i >= 0; i-- {
		c := s.daemons[i]
		_ = c.Process.Signal(syscall.SIGTERM)
		done := make(chan struct{})
		go func() { _ = c.Wait(); close(done) }()
		select {
		case <-done:
		case <-time.After(5 * time.Second):
		}
		_ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL) // whoever is left of the group
	}
	_ = os.RemoveAll(s.dir)
}

// A Slurm array runs a sweep in shards that know theirs from Slurm alone, and they
// are joined to what the sweep is in one run.
func TestSlurmArray(t *testing.T) {
	s := startSlurm(t)
	version, _ := exec.Command("sbatch", "--version").Output()
	t.Logf("%s", bytes.TrimSpace(version))
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	sweep := []string{"sweep", "--steps", "2000", "--seed", "5", "--grid", "eps=0.1:0.5:lin:5", "--repeats", "2"}
	cells := s.path("cells")
	// An array that begins at 4 and counts by threes.
	script := write(t, s.path("job.sh"),
		"#!/bin/sh\n#SBATCH --array=4-10:3\nexport "+asProgram+"=1\nexec "+self+" "+strings.Join(sweep, " ")+
			" --threads 1 --out "+cells+"\n")
	began := time.Now()
	out, err := exec.Command("sbatch", "--chdir", s.path("jobs"), "--output", s.path("jobs/%a.out"), "--cpus-per-task",
		"1", script).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s%s", err, out, s.logs())
	}
	for {
		out, err := exec.Command("squeue", "--noheader", "--array").CombinedOutput()
		if err == nil && len(bytes.TrimSpace(out)) == 0 {
			break
		}
		if time.Since(began) > ptytest.Patience {
			t.Fatalf("the array has not ended after %v: %s%s", ptytest.Patience, out, s.logs())
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Logf("the array took %v", time.Since(began).Round(10*time.Millisecond))
	var files []string
	for _, task := range []string{"4", "7", "10"} {
		b, err := os.ReadFile(s.path("jobs/" + task + ".out"))
		i := (map[string]int{"4": 1, "7": 2, "10": 3})[task]
		name := filepath.Join(cells, fmt.Sprintf("results-%d-of-3.jsonl", i))
		want := fmt.Sprintf("shard %d/3: ", i)
		if err != nil || !strings.HasPrefix(string(b), want) || !strings.Contains(string(b), " in "+name+"\n") {
			t.Fatalf("task %s says %q, %v%s", task, b, err, s.logs())
		}
		files = append(files, name)
	}
	var merged, whole studies.SweepDoc
	document(t, &merged, append([]string{"merge"}, files...)...)
	if err := json.Unmarshal([]byte(ok(t, append(sweep, "--json")...)), &whole); err != nil {
		t.Fatal(err)
	}
	if len(merged.Cells) != 10 || len(whole.Cells) != 10 {
		t.Fatalf("%d cells, want %d", len(merged.Cells), len(whole.Cells))
	}
	for i := range merged.Cells {
		same(t, merged.Cells[i].Lanes, whole.Cells[i].Lanes)
	}
}

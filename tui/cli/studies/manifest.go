package studies

import (
	"encoding/json"
	"io"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/engine/paper/reproduce"
	"github.com/psgld/psgld-tui/tui/cli/console"
)

// manifest is an indexed Kubernetes Job (batch/v1), whose pods run a shard each. What is within ⟨⟩ is filled in.
const manifest = `apiVersion: batch/v1
kind: Job
metadata: {name: psgld}
spec:
  completionMode: Indexed
  completions: ⟨pods⟩
  parallelism: ⟨pods⟩
  template:
    spec:
      restartPolicy: OnFailure                 # a pod that begins again goes on where it stopped
      containers:
      - name: psgld
        image: YOUR/psgld-tui                  # an image with the program in its PATH
        command: ⟨command⟩
        env:
        - {name: ⟨shards⟩, value: "⟨pods⟩"}    # = completions
        - {name: PSGLD_DATA, value: /work/data}
        resources: {requests: {cpu: "⟨cores⟩"}, limits: {cpu: "⟨cores⟩"}}
        volumeMounts: [{name: work, mountPath: /work}]
      volumes: [{name: work, persistentVolumeClaim: {claimName: psgld}}]
# When all pods are done: psgld-tui merge /work/report/⟨files⟩
`

// Manifest prints the Kubernetes Job of a reproduction: so many pods, which run a shard each with so many threads.
func (e *Env) Manifest(r reproduce.Request, pods, threads int) error {
	command, err := json.Marshal(append(reproduceCommand(r, nil, Options{}), "--threads", strconv.Itoa(threads),
		"--out", "/work/report"))
	console.Must(err)
	_, err = io.WriteString(e.Out, strings.NewReplacer(
		"⟨pods⟩", strconv.Itoa(pods), "⟨command⟩", string(command), "⟨shards⟩", shardsVar,
		"⟨cores⟩", strconv.Itoa(threads), "⟨files⟩", ShardNames(pods),
	).Replace(manifest))
	return console.Failed(err)
}

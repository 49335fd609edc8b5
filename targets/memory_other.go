//go:build !linux || !(amd64 || arm64)

package targets

// machineMemory is the size of the machine's memory in bytes, 0 if that is not
// known.
func machineMemory() uint64 { return 0 }

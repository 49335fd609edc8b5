package study

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/psgld/psgld-tui/nets/simd"
)

// Machine says what the program runs on: processor, cores, system, Go, and which
// kernels draw noise and do the networks' arithmetic. It is the same each time on
// one machine.
func Machine() string {
	model := processor()
	if model == "" {
		model = "unknown processor"
	}
	return fmt.Sprintf("%s, %d cores, %s/%s, %s, kernels %s, networks %s", model, runtime.NumCPU(),
		runtime.GOOS, runtime.GOARCH, runtime.Version(), simd.Active, simd.Active)
}

// processor is the model's name, "" where the system does not tell it in a file
// or variable.
func processor() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return os.Getenv("PROCESSOR_IDENTIFIER") // Windows sets it
	}
	defer func() { _ = f.Close() }() // it was only read
	return modelName(bufio.NewScanner(f))
}

// modelName reads the first processor's name from Linux's /proc/cpuinfo; ARM
// kernels have none there.
func modelName(lines *bufio.Scanner) string {
	for lines.Scan() {
		if key, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.Join(strings.Fields(value), " ")
		}
	}
	return ""
}

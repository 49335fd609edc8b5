package study

import (
	"cmp"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strings"

	"github.com/psgld/psgld-tui/nets/tool/simd"
	"github.com/psgld/psgld-tui/targets/tool/regular"
)

// Machine says what the program runs on: processor, cores, system, Go and kernels. It is
// the same each time on one machine.
func Machine() string {
	return fmt.Sprintf("%s, %d cores, %s/%s, %s, kernels %s", cmp.Or(processor(), "unknown processor"), runtime.NumCPU(),
		runtime.GOOS, runtime.GOARCH, runtime.Version(), simd.Kernels())
}

// modelName is a line of Linux's /proc/cpuinfo; ARM kernels have none there.
var modelName = regexp.MustCompile(`(?m)^model name\s*:(.*)$`)

// maxInfo bounds that file, in bytes: some 1,500 for each processor.
const maxInfo = 16 << 20

// processor is the model's name, "" where the system does not tell it in a file or variable.
func processor() string {
	info, err := regular.Read("/proc/cpuinfo", maxInfo)
	if err != nil {
		return os.Getenv("PROCESSOR_IDENTIFIER") // Windows sets it
	}
	if found := modelName.FindSubmatch(info); found != nil {
		return strings.Join(strings.Fields(string(found[1])), " ")
	}
	return ""
}

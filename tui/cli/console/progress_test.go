package console

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// Where there is no bar, many sessions say every so often how far they are.
func TestLinesWithoutATerminal(t *testing.T) {
	var out bytes.Buffer
	looks := make(chan int, 100)
	stop := StartProgress(&out, time.Millisecond, func() (float64, string) {
		looks <- 1
		return 0.5, "1 of 2 cells"
	})
	<-looks
	<-looks // the first line is written
	stop()
	if !strings.HasPrefix(out.String(), "1 of 2 cells\n") {
		t.Errorf("it says %q", out.String())
	}
}

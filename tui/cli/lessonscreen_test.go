//go:build !windows

package cli

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/tui/app"
	"github.com/psgld/psgld-tui/tui/cli/console"
)

// TestLessonOnScreen checks that the screen gets the lesson with its first
// session, and that the folder of data is that of the flag.
func TestLessonOnScreen(t *testing.T) {
	tty, read := terminal(t)
	app := App{Screen: func(_ context.Context, start app.Start, o app.Options) (*session.Session, error) {
		s := begun(t, start)
		if o.Lesson == nil || o.Lesson.Name != "thinning" || o.DataDir != "folder" {
			t.Errorf("the options are %+v", o)
		}
		if c := s.Snapshot().Config; c.Seed != 20 {
			t.Errorf("the session is %+v", c)
		}
		return s, nil
	}}
	var stderr bytes.Buffer
	status := app.Run(t.Context(), []string{"lesson", "thinning", "--data", "folder"}, strings.NewReader(""),
		tty, &stderr)
	if status != console.ExitDone || stderr.Len() > 0 {
		t.Errorf("status %d, %q", status, stderr.String())
	}
	read()
}

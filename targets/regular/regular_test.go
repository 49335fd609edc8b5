package regular

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// The kernel's messages are a regular file by mode, whose reader waits for the next message.
func TestMessagesOfTheKernel(t *testing.T) {
	const messages = "/proc/kmsg"
	f, err := os.Open(messages)
	if err != nil {
		t.Skip(err)
	}
	f.Close()
	if _, _, err := Open(messages); !errors.Is(err, ErrNot) {
		t.Errorf("the error is %v, want %v", err, ErrNot)
	}
}

// An empty file is one.
func TestEmptyFile(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(empty, 1000); err != nil {
		t.Error(err)
	}
}

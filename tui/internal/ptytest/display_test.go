package ptytest

import (
	"io"
	"testing"
)

// What has passed by is seen, in its order, up to what was typed.
func TestWhatPassesByIsSeen(t *testing.T) {
	d := NewDisplay(t, 20, 2, nil)
	shows := func(text string) { io.WriteString(d, "\x1b[?2026h\x1b[2J\x1b[H"+text+"\x1b[?2026l") }
	shows("one")
	shows("a notice")
	shows("two")
	if seen := d.See("notice"); seen != "a notice\n" {
		t.Errorf("seen on %q", seen)
	}
	d.Miss("notice")
	if len(d.frames) != 1 {
		t.Errorf("what is older than what was seen stays: %q", d.frames)
	}
	shows("three")
	d.See("two")
	d.Typed()
	if len(d.frames) != 1 || d.frames[0] != "three\n" {
		t.Errorf("of before something was typed there is %q", d.frames)
	}
	io.WriteString(d, "\x1b[?2026h\x1b[2J\x1b[Hhalf")
	if len(d.frames) != 1 {
		t.Errorf("half a frame is recorded: %q", d.frames)
	}
	d.Sized(30, 3, true)
	io.WriteString(d, "\x1b[?2026l")
	if len(d.frames) != 0 {
		t.Errorf("of before the size there is %q", d.frames)
	}
	shows("four")
	d.See("four")
	// Half a frame goes on to show nothing to who waits for it.
	seen := make(chan string)
	go func() { seen <- d.See("five") }()
	io.WriteString(d, "\x1b[?2026h\x1b[2J\x1b[Hfive")
	io.WriteString(d, "\x1b[2;1Hsix\x1b[?2026l")
	if got := <-seen; got != "five\nsix\n" {
		t.Errorf("seen on %q", got)
	}
}

package fetch

import (
	"bytes"
	"net/http"
	"slices"
	"testing"
)

// A transfer that breaks off goes on where it stopped.
func TestResumes(t *testing.T) {
	content := noise(200_000, 3)
	m := newMirror(t, cut(content, 150_000))
	dir := t.TempDir()
	if err := Set(t.Context(), dir, oneFile(content, m), quick); err != nil {
		t.Error(err)
	}
	if got, want := m.asked(), []string{"", "bytes=150000-"}; !slices.Equal(got, want) {
		t.Errorf("asked for %q, want %q", got, want)
	}
	holdContent(t, dir, "file", content)
	holdFolder(t, dir, "file")
}

// Of a file in pieces of 70,000 bytes every round brings one; more rounds than
// Rounds are made as long as they bring something.
func TestGoesOnWhileThereIsProgress(t *testing.T) {
	content := noise(500_000, 4)
	m := newMirror(t, cut(content, 70_000))
	dir := t.TempDir()
	if err := Set(t.Context(), dir, oneFile(content, m), quick); err != nil {
		t.Fatal(err)
	}
	if got := len(m.asked()); got != 8 {
		t.Errorf("%d requests, want ⌈500/70⌉", got)
	}
	holdContent(t, dir, "file", content)
}

// What another call left is gone on with, if it still fits.
func TestGoesOnWithAPart(t *testing.T) {
	content := noise(200_000, 5)
	for name, c := range map[string]struct {
		part    []byte
		handler http.HandlerFunc
		want    []string
	}{
		"right part":      {content[:9000], serve(content), []string{"bytes=9000-"}},
		"wrong part":      {noise(9000, 6), serve(content), []string{"bytes=9000-", ""}},
		"no ranges":       {content[:9000], send(len(content), content), []string{"bytes=9000-"}},
		"complete":        {content, serve(content), nil},
		"complete, wrong": {noise(200_000, 6), serve(content), []string{""}},
		"too long":        {noise(200_001, 6), serve(content), []string{""}},
		"416": {content[:9000], func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Range") != "" {
				w.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
				return
			}
			serve(content)(w, r)
		}, []string{"bytes=9000-", ""}},
		"wrong range": {content[:9000], func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Range") != "" {
				r.Header.Set("Range", "bytes=8000-")
			}
			serve(content)(w, r)
		}, []string{"bytes=9000-", ""}},
		"grown": {content[:9000], func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Range") != "" {
				serve(append(bytes.Clone(content), 'x'))(w, r)
				return
			}
			serve(content)(w, r)
		}, []string{"bytes=9000-", ""}},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMirror(t, c.handler)
			dir := t.TempDir()
			writeAll(t, dir, map[string]string{"folder/file.part": string(c.part)})
			if err := Set(t.Context(), dir, oneFile(content, m), quick); err != nil {
				t.Fatal(err)
			}
			if got := m.asked(); !slices.Equal(got, c.want) {
				t.Errorf("asked for %q, want %q", got, c.want)
			}
			holdContent(t, dir, "file", content)
			holdFolder(t, dir, "file")
		})
	}
}

// The version changes between two attempts of one call: the sum of both parts is
// wrong, and a third starts afresh.
func TestVersionChanges(t *testing.T) {
	content := noise(200_000, 7)
	var n int
	m := newMirror(t, func(w http.ResponseWriter, r *http.Request) {
		if n++; n == 1 {
			cut(noise(200_000, 8), 120_000)(w, r)
			return
		}
		serve(content)(w, r)
	})
	dir := t.TempDir()
	if err := Set(t.Context(), dir, oneFile(content, m), quick); err != nil {
		t.Fatal(err)
	}
	if want := []string{"", "bytes=120000-", ""}; !slices.Equal(m.asked(), want) {
		t.Errorf("asked for %q, want %q", m.asked(), want)
	}
	holdContent(t, dir, "file", content)
}

func TestFollowsRedirects(t *testing.T) {
	content := noise(200_000, 9)
	target := newMirror(t, cut(content, 120_000))
	m := newMirror(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, target.URL+"/elsewhere", http.StatusFound)
	})
	dir := t.TempDir()
	if err := Set(t.Context(), dir, oneFile(content, m), quick); err != nil {
		t.Fatal(err)
	}
	if want := []string{"", "bytes=120000-"}; !slices.Equal(target.asked(), want) {
		t.Errorf("asked for %q, want %q", target.asked(), want)
	}
}

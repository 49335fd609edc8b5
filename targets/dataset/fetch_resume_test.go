package dataset

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// A transfer that breaks off goes on where it stopped, and the tag sent is the
// server's own.
func TestFetchResumes(t *testing.T) {
	content := noise(200_000, 3)
	for name, c := range map[string]struct {
		etag string
		want []string
	}{
		"tag":      {`"v1"`, []string{"", `bytes=150000- "v1"`}},
		"weak tag": {`W/"v1"`, []string{"", "bytes=150000-"}},
		"no tag":   {"", []string{"", "bytes=150000-"}},
	} {
		m := newMirror(t, cut(content, c.etag, 150_000))
		dir := t.TempDir()
		if err := Fetch(t.Context(), dir, oneFile(content, m), quick); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := m.asked(); !slices.Equal(got, c.want) {
			t.Errorf("%s: asked for %q, want %q", name, got, c.want)
		}
		holdContent(t, dir, "file", content)
		holdFolder(t, dir, "file")
	}
}

// Of a file in pieces of 70,000 bytes every round brings one; more rounds than
// Rounds are made as long as they bring something.
func TestFetchGoesOnWhileThereIsProgress(t *testing.T) {
	content := noise(500_000, 4)
	m := newMirror(t, cut(content, "", 70_000))
	dir := t.TempDir()
	if err := Fetch(t.Context(), dir, oneFile(content, m), quick); err != nil {
		t.Fatal(err)
	}
	if got := len(m.asked()); got != 8 {
		t.Errorf("%d requests, want ⌈500/70⌉", got)
	}
	holdContent(t, dir, "file", content)
}

// What another Fetch left is gone on with, if it still fits.
func TestFetchGoesOnWithAPart(t *testing.T) {
	content := noise(200_000, 5)
	url := func(m *mirror) string { return m.URL + "/file" }
	for name, c := range map[string]struct {
		part    []byte
		tag     string // "" is none; FILE stands for the address
		handler http.HandlerFunc
		want    []string
	}{
		"same version":    {content[:9000], "FILE\n\"v1\"\n", serve(content, `"v1"`), []string{`bytes=9000- "v1"`}},
		"new version":     {noise(9000, 6), "FILE\n\"v0\"\n", serve(content, `"v1"`), []string{`bytes=9000- "v0"`}},
		"other mirror":    {content[:9000], "http://other/\n\"v0\"\n", serve(content, `"v1"`), []string{"bytes=9000-"}},
		"wrong part":      {noise(9000, 6), "", serve(content, ""), []string{"bytes=9000-", ""}},
		"no ranges":       {content[:9000], "", send(len(content), content), []string{"bytes=9000-"}},
		"complete":        {content, "", serve(content, ""), nil},
		"complete, wrong": {noise(200_000, 6), "", serve(content, ""), []string{""}},
		"too long":        {noise(200_001, 6), "", serve(content, ""), []string{""}},
		"broken tag":      {content[:9000], "FILE\n\"v\n1\"\n", serve(content, ""), []string{"bytes=9000-"}},
		"416": {content[:9000], "", func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Range") != "" {
				w.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
				return
			}
			serve(content, "")(w, r)
		}, []string{"bytes=9000-", ""}},
		"wrong range": {content[:9000], "", func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Range") != "" {
				r.Header.Set("Range", "bytes=8000-")
			}
			serve(content, "")(w, r)
		}, []string{"bytes=9000-", ""}},
		"grown": {content[:9000], "", func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Range") != "" {
				serve(append(bytes.Clone(content), 'x'), "")(w, r)
				return
			}
			serve(content, "")(w, r)
		}, []string{"bytes=9000-", ""}},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMirror(t, c.handler)
			dir := t.TempDir()
			files := map[string]string{"folder/file.part": string(c.part)}
			if c.tag != "" {
				files["folder/file.part.tag"] = strings.Replace(c.tag, "FILE", url(m), 1)
			}
			writeAll(t, dir, files)
			if err := Fetch(t.Context(), dir, oneFile(content, m), quick); err != nil {
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

// The version changes between two attempts of one Fetch: the second starts
// afresh, because If-Range names the old one.
func TestFetchVersionChanges(t *testing.T) {
	content := noise(200_000, 7)
	var n int
	m := newMirror(t, func(w http.ResponseWriter, r *http.Request) {
		if n++; n == 1 {
			cut(noise(200_000, 8), `"old"`, 120_000)(w, r)
			return
		}
		serve(content, `"new"`)(w, r)
	})
	dir := t.TempDir()
	if err := Fetch(t.Context(), dir, oneFile(content, m), quick); err != nil {
		t.Fatal(err)
	}
	if want := []string{"", `bytes=120000- "old"`}; !slices.Equal(m.asked(), want) {
		t.Errorf("asked for %q, want %q", m.asked(), want)
	}
	holdContent(t, dir, "file", content)
}

func TestFetchFollowsRedirects(t *testing.T) {
	content := noise(200_000, 9)
	target := newMirror(t, cut(content, `"v"`, 120_000))
	m := newMirror(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, target.URL+"/elsewhere", http.StatusFound)
	})
	dir := t.TempDir()
	if err := Fetch(t.Context(), dir, oneFile(content, m), quick); err != nil {
		t.Fatal(err)
	}
	if want := []string{"", `bytes=120000- "v"`}; !slices.Equal(target.asked(), want) {
		t.Errorf("asked for %q, want %q", target.asked(), want)
	}
}

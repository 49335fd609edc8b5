//go:build unix

package child

import "testing"

// The shell becomes the program of a simple command line, and of no other.
func TestBecome(t *testing.T) {
	for command, want := range map[string]string{
		"cat":                                "exec cat",
		" cat -u":                            "exec cat -u",
		"/bin/sh model.sh 2>log $HOME":       "exec /bin/sh model.sh 2>log $HOME",
		"A=1 B='x; y' cat 'a; b' \"c && d\"": "A=1 B='x; y' exec cat 'a; b' \"c && d\"",
		"'/bin/sh' -c 'cat; cat'":            "exec '/bin/sh' -c 'cat; cat'",
		"cat; cat":                           "", "cat | cat": "", "cat && cat": "", "cat &": "", "cat\ncat": "",
		"(cat)": "", "cat $(cat)": "", "cat `cat`": "", "cat \"$(cat)\"": "", "cat \\; cat": "",
		"exec cat": "", "exit 4": "", "export A=1": "", ". ./cat": "", "A=1": "", "": "", "/nowhere/model": "",
		"if cat": "", "cat 'a": "",
	} {
		if want == "" {
			want = command
		}
		if got := become(command); got != want {
			t.Errorf("%q becomes %q, want %q", command, got, want)
		}
	}
}

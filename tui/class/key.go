package class

import (
	"crypto/ed25519"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	gossh "golang.org/x/crypto/ssh"

	"github.com/psgld/psgld-tui/engine/tool/atomicfile"
	"github.com/psgld/psgld-tui/targets/tool/regular"
)

// mostKey bounds the bytes of a file of a key or a certificate.
const mostKey = 1 << 20

// HostKey reads the private key by which a room is known from a file. If there is none, it makes one and writes it, for
// its owner alone. A file that others can read is refused, since a room with its key can be imitated.
func HostKey(path string) (gossh.Signer, error) {
	text, err := regular.Read(path, mostKey)
	if errors.Is(err, fs.ErrNotExist) {
		text, err = newKey(path)
	}
	if err != nil {
		return nil, fmt.Errorf("the room's host key: %w", err)
	}
	if info, err := os.Stat(path); err == nil && info.Mode().Perm()&0o077 != 0 && ownedByMode {
		return nil, fmt.Errorf("the room's host key: others can read %s; chmod 600 keeps it from them", path)
	}
	key, err := gossh.ParsePrivateKey(text)
	if err != nil {
		return nil, fmt.Errorf("the room's host key: %s holds none: %w", path, err)
	}
	return key, nil
}

// ownedByMode says that a file's mode tells who can read it.
const ownedByMode = runtime.GOOS != "windows"

// newKey writes a new Ed25519 key. Of two rooms that begin at once both have the one that was there first.
func newKey(path string) ([]byte, error) {
	_, private, _ := ed25519.GenerateKey(nil) // it never fails
	block, err := gossh.MarshalPrivateKey(private, "psgld-tui class")
	if err != nil {
		return nil, err
	}
	text := pem.EncodeToMemory(block)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	if err = atomicfile.New(path, text); errors.Is(err, fs.ErrExist) {
		return regular.Read(path, mostKey)
	}
	return text, err
}

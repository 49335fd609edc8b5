package dataset

import (
	_ "embed"
	"path/filepath"

	"github.com/pelletier/go-toml/v2"
)

// A Known is a data set that the program knows by name.
type Known struct {
	Name   string // as in --target or --dataset
	Folder string // within the data folder
	What   string
	Rows   string
	Files  []File

	// Mirrors are the addresses of folders that hold the files, or the archive if there is one, under their names; the
	// first is tried first. They end in a slash.
	Mirrors []string
	// Archive is what the files come packed in; nil if they come one by one.
	Archive *Archive
}

// A File is one file of a Known, with what identifies its content.
type File struct {
	Name   string
	Size   int64
	SHA256 string
	// Unpacked and UnpackedSize identify what a gzipped file unpacks to. A
	// file that was packed anew is then accepted as well. Empty for others.
	Unpacked     string
	UnpackedSize int64
}

// An Archive is a gzipped tar file that holds the files of a Known in a folder.
type Archive struct {
	File
	Folder string
}

// Path is where f is in the data folder dir. The files of an archive may also
// lie in the archive's folder, as they do where it was unpacked by hand.
func (k Known) Path(dir string, f File) string {
	path := filepath.Join(dir, k.Folder, f.Name)
	if k.Archive == nil || isFile(path) {
		return path
	}
	if inner := filepath.Join(dir, k.Folder, k.Archive.Folder, f.Name); isFile(inner) {
		return inner
	}
	return path
}

//go:embed known.toml
var catalogue []byte

// KnownSets lists the data folder's catalogue, known.toml.
func KnownSets() []Known {
	var c struct{ Set []Known }
	if err := toml.Unmarshal(catalogue, &c); err != nil {
		panic(err) // it is part of the program
	}
	return c.Set
}

package dataset

import (
	"os"
	"path/filepath"
	"runtime"
)

const program = "psgld-tui"

// Dir is the data folder: flag if it is set, else $PSGLD_DATA, else psgld-tui in $XDG_DATA_HOME or, without that, where
// the system keeps a user's data: ~/.local/share, ~/Library/Application Support or %LocalAppData%. A home that is not
// known is the root. The folder need not exist.
func Dir(flag string) string {
	if flag != "" {
		return flag
	}
	if dir := os.Getenv("PSGLD_DATA"); dir != "" {
		return dir
	}
	// The XDG specification has relative paths ignored.
	if dir := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, program)
	}
	if dir := os.Getenv("LocalAppData"); runtime.GOOS == "windows" && dir != "" {
		return filepath.Join(dir, program)
	}
	home, err := os.UserHomeDir()
	if err != nil || !filepath.IsAbs(home) {
		home = string(filepath.Separator) // never the working directory, where others may have put files
	}
	switch runtime.GOOS {
	case "windows":
		return filepath.Join(home, "AppData", "Local", program)
	case "darwin", "ios":
		return filepath.Join(home, "Library", "Application Support", program)
	}
	return filepath.Join(home, ".local", "share", program)
}

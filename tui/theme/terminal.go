package theme

import "strings"

// ASCIIOnly says why a terminal with an environment is taken to draw ASCII alone, empty where it is
// not: Linux's console has no braille, and a locale may have another charset.
// Without a locale a terminal is one of today, with UTF-8.
func ASCIIOnly(getenv func(key string) string) string {
	switch term := getenv("TERM"); term {
	case "dumb", "linux":
		return "TERM=" + term
	}
	for _, key := range [...]string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := getenv(key); v != "" {
			if name := strings.ToUpper(v); strings.Contains(name, "UTF-8") || strings.Contains(name, "UTF8") {
				return ""
			}
			return key + "=" + v
		}
	}
	return ""
}

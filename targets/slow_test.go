//go:build slow

package targets

func init() { slow = true }

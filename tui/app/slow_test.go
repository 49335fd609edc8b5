//go:build slow

package app

const slow = true

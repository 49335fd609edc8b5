package class

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"math/big"
	"net/netip"
	"strings"
	"sync"
	"time"
)

// alphabet has no characters that are taken for each other.
const alphabet = "23456789abcdefghjkmnpqrstuvwxyz"

// codeLen is how many of them a code has: 31⁸ = 8.5·10¹¹ codes.
const codeLen = 8

// NewCode makes a code at random, such as k7m4-2xqp.
func NewCode() string {
	var b strings.Builder
	for i := range codeLen {
		if i == codeLen/2 {
			b.WriteByte('-')
		}
		n, _ := rand.Int(rand.Reader, big.NewInt(int64(len(alphabet)))) // it never fails
		b.WriteByte(alphabet[n.Int64()])
	}
	return b.String()
}

// plain is a code without what a person may write otherwise.
func plain(code string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == ' ' {
			return -1
		}
		return r
	}, strings.ToLower(code))
}

// mostCode bounds what is looked at of a code that is given.
const mostCode = 64

// same reports whether two codes are the same, in a time that does not depend on where they differ.
func same(given, code string) bool {
	if len(given) > mostCode {
		return false
	}
	a, b := sha256.Sum256([]byte(plain(given))), sha256.Sum256([]byte(plain(code)))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// A bucket holds attempts. One comes back every so often.
type bucket struct {
	left float64
	at   time.Time // when left was so many
}

// take reports whether there is an attempt in a bucket, and takes it out if it counts.
func (b *bucket) take(now time.Time, of limit, counts bool) bool {
	if b.at.IsZero() {
		b.left = float64(of.most)
	} else {
		b.left = min(float64(of.most), b.left+now.Sub(b.at).Seconds()/of.every.Seconds())
	}
	b.at = now
	if b.left < 1 {
		return false
	}
	if counts {
		b.left--
	}
	return true
}

// A limit is so many at once, and one more every so often.
type limit struct {
	most  int
	every time.Duration
}

// codesOfAddress are the wrong codes of an address that are answered without delay.
var codesOfAddress = limit{20, 5 * time.Second}

const delay = 2 * time.Second // of the answer to each beyond them

const mostAddresses = 4096

// attempts bounds how often an address tries something.
type attempts struct {
	limit

	mu        sync.Mutex
	byAddress map[netip.Addr]*bucket
}

// try reports whether an address has an attempt left, and takes it if it counts.
func (a *attempts) try(from netip.Addr, now time.Time, counts bool) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	b := a.byAddress[from]
	if b == nil {
		if len(a.byAddress) >= mostAddresses {
			for old, o := range a.byAddress {
				if now.Sub(o.at) > time.Duration(a.most)*a.every { // it is full again
					delete(a.byAddress, old)
				}
			}
			if len(a.byAddress) >= mostAddresses {
				return false
			}
		}
		if a.byAddress == nil {
			a.byAddress = map[netip.Addr]*bucket{}
		}
		b = new(bucket)
		a.byAddress[from] = b
	}
	return b.take(now, a.limit, counts)
}

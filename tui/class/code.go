package class

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"net/netip"
	"strings"
	"sync"
	"time"
)

// alphabet has no characters that are taken for each other.
const alphabet = "23456789abcdefghjkmnpqrstuvwxyz"

// codeLen is how many of them a code has: 31⁶ = 8.9·10⁸ codes.
const codeLen = 6

// NewCode makes a code at random, such as k7m-2xq.
func NewCode() string {
	var b strings.Builder
	for b.Len() < codeLen+1 {
		if b.Len() == codeLen/2 {
			b.WriteByte('-')
		}
		var one [1]byte
		_, _ = rand.Read(one[:]) // it never fails
		if n := int(one[0]); n < 256/len(alphabet)*len(alphabet) {
			b.WriteByte(alphabet[n%len(alphabet)])
		}
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

// same reports whether two codes are the same, in a time that does not depend on where they
// differ.
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

// take takes an attempt out of a bucket of so many, and reports whether there was one.
func (b *bucket) take(now time.Time, most int, every time.Duration) bool {
	if b.at.IsZero() {
		b.left = float64(most)
	} else {
		b.left = min(float64(most), b.left+now.Sub(b.at).Seconds()/every.Seconds())
	}
	b.at = now
	if b.left < 1 {
		return false
	}
	b.left--
	return true
}

// Attempts to give the code: at most so many at once, and one more every so often, of an
// address and of all.
const (
	ofAddress, ofAddressEvery = 20, 5 * time.Second
	ofAll, ofAllEvery         = 60, time.Second
	mostAddresses             = 4096
)

// attempts bounds how often the code is tried. A right code gives back what it took.
type attempts struct {
	mu        sync.Mutex
	all       bucket
	byAddress map[netip.Addr]*bucket
}

// try reports whether an address may try a code now.
func (a *attempts) try(from netip.Addr, now time.Time) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	b := a.byAddress[from]
	if b == nil {
		if len(a.byAddress) >= mostAddresses {
			for old, o := range a.byAddress {
				if now.Sub(o.at) > ofAddress*ofAddressEvery { // it is full again
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
	return b.take(now, ofAddress, ofAddressEvery) && a.all.take(now, ofAll, ofAllEvery)
}

// back gives an attempt back, after a right code.
func (a *attempts) back(from netip.Addr) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.all.left = min(a.all.left+1, ofAll)
	if b := a.byAddress[from]; b != nil {
		b.left = min(b.left+1, ofAddress)
	}
}

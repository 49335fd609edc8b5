package fetch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/psgld/psgld-tui/targets/dataset"
)

// finalError is what a mirror will answer again if it is asked again.
type finalError struct{ error }

func isFinal(err error) bool {
	_, final := errors.AsType[finalError](err)
	return final
}

func finalf(format string, args ...any) error {
	return finalError{fmt.Errorf(format, args...)}
}

// most is how many bytes of f are taken: exactly its size, or for a file that may be packed anew half as many again.
func most(f dataset.File) int64 {
	if f.Unpacked == "" {
		return f.Size
	}
	return f.Size + f.Size/2
}

// ask gets what p lacks of the file from address and puts it in place if it is
// right. If what was there before turns out to be wrong, it starts afresh.
func (f *fetcher) ask(ctx context.Context, address string, p *part, file dataset.File) error {
	if p.n > most(file) {
		if err := p.reset(); err != nil {
			return err
		}
	}
	for {
		resumed := p.n > 0
		var err error
		if p.n != file.Size {
			err = f.request(ctx, address, p, file)
		}
		if _, stale := errors.AsType[staleError](err); stale && resumed {
			if err := p.reset(); err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return err
		}
		f.now.Done = p.n
		f.report(Checking)
		ok, err := p.keep(file)
		if err != nil || ok {
			return err
		}
		if err := p.reset(); err != nil {
			return err
		}
		if !resumed {
			return finalf("sends other content than the known")
		}
	}
}

// staleError says that what is in the part cannot be gone on with.
type staleError struct{ error }

func stalef(format string, args ...any) error {
	return staleError{fmt.Errorf(format, args...)}
}

// errStalled ends a request that brings no bytes.
var errStalled = errors.New("stalled")

// request appends to p what the server at address has beyond it.
func (f *fetcher) request(ctx context.Context, address string, p *part, file dataset.File) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	alarm := time.AfterFunc(f.options.Stall, func() { cancel(errStalled) })
	defer alarm.Stop()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return finalError{err}
	}
	req.Header.Set("User-Agent", "psgld-tui")
	req.Header.Set("Accept-Encoding", "identity")
	if p.n > 0 {
		req.Header.Set("Range", fmt.Sprintf("bytes=%d-", p.n))
	}
	resp, err := f.client.Do(req)
	if err != nil {
		return f.broken(ctx, err)
	}
	defer resp.Body.Close() // what matters was read
	alarm.Reset(f.options.Stall)
	if err := p.accept(resp, file); err != nil {
		return err
	}
	if resp.StatusCode == http.StatusOK {
		if err := p.reset(); err != nil {
			return err
		}
	}
	f.now.Done = p.n
	p.wrote = func() {
		alarm.Reset(f.options.Stall)
		f.advance(Fetching, p.n)
	}
	_, err = io.Copy(p, io.LimitReader(resp.Body, most(file)-p.n+1))
	switch {
	case p.n > most(file):
		return cmp.Or(p.reset(), finalf("sends more than %d bytes", most(file)))
	case isDisk(err):
		return err
	case err != nil:
		return f.broken(ctx, err)
	}
	if p.n < file.Size && file.Unpacked == "" {
		return fmt.Errorf("breaks off after %d of %d bytes", p.n, file.Size)
	}
	return nil
}

// accept checks by its header that a response can go on with p or replace it.
func (p *part) accept(resp *http.Response, file dataset.File) error {
	from := int64(0)
	switch resp.StatusCode {
	case http.StatusOK:
	case http.StatusPartialContent:
		given := resp.Header.Get("Content-Range")
		if _, err := fmt.Sscanf(given, "bytes %d-", &from); err != nil || from != p.n {
			return stalef("sends the range %q, want one from %d", clip(given), p.n)
		}
	case http.StatusRequestedRangeNotSatisfiable:
		return stalef("%s", status(resp))
	default:
		passing := []int{http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests}
		if resp.StatusCode < 500 && !slices.Contains(passing, resp.StatusCode) {
			return finalf("%s", status(resp))
		}
		return errors.New(status(resp))
	}
	if e := resp.Header.Get("Content-Encoding"); e != "" && e != "identity" {
		return finalf("sends content encoded as %q", clip(e))
	}
	if resp.ContentLength < 0 {
		return nil
	}
	size := from + resp.ContentLength
	if size > most(file) || (file.Unpacked == "" && size != file.Size) {
		if from > 0 {
			return stalef("has %d bytes, want %d", size, file.Size)
		}
		return finalf("has %d bytes, want %d", size, file.Size)
	}
	return nil
}

// status is the code and its usual name, whatever the server calls it.
func status(resp *http.Response) string {
	return strings.TrimSpace(strconv.Itoa(resp.StatusCode) + " " + http.StatusText(resp.StatusCode))
}

// broken words an error of the connection.
func (f *fetcher) broken(ctx context.Context, err error) error {
	if errors.Is(context.Cause(ctx), errStalled) {
		return fmt.Errorf("sends nothing for %v", f.options.Stall)
	}
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err // without the address
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return errors.New("breaks off")
	}
	return errors.New(strings.Join(strings.Fields(err.Error()), " "))
}

// clip shortens what a server sent for a message.
func clip(s string) string { return s[:min(len(s), 60)] }

package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"assay/store/evidence"
	"assay/web/page"
	"assay/web/view"
	"assay/web/view/artifacttext"
)

const (
	artifactPath    = "/artifact/:sha"
	artifactRawPath = artifactPath + "/raw"

	// rehashMax is the largest artifact that is hashed again for every view.
	rehashMax = 8 << 20
	// indexCacheMax bounds what the indexes of the artifacts opened last may take.
	indexCacheMax = 16 << 20
	// longestPointer bounds the pointer in an address.
	longestPointer = 16 << 10
)

// artifactPages answers for artifacts and remembers where things stand in them.
type artifactPages struct {
	*Server
	indexes *artifacttext.Cache
}

func (s *Server) artifactRoutes() {
	p := &artifactPages{Server: s, indexes: artifacttext.NewCache(indexCacheMax)}
	s.get(artifactPath, p.show)
	s.get(artifactRawPath, p.raw)
}

// show is the artifact page.
func (p *artifactPages) show(c echo.Context) error {
	ctx := c.Request().Context()
	digest, moved, err := p.digest(c)
	if err != nil || moved {
		return err
	}
	q, err := artifactQuery(c)
	if err != nil {
		return err
	}
	detail, err := p.cfg.Archive.Artifact(ctx, digest)
	if err != nil {
		return err
	}
	in := view.ArtifactInput{Detail: detail, Query: q}
	bytes, err := p.cfg.Archive.OpenArtifact(ctx, detail.ID)
	if err != nil {
		return err
	}
	defer bytes.Close()
	if err := p.read(&in, bytes); err != nil {
		return fmt.Errorf("artifact %s: %w", digest.Short(), err)
	}
	v, err := view.BuildArtifact(in)
	if err != nil {
		return fmt.Errorf("artifact %s: %w", digest.Short(), err)
	}
	ch := p.chrome(c, "Artifact "+digest.Short(), "")
	p.addFiles(&ch, []string{"artifact.css"}, nil)
	ch.Crumbs = []view.Crumb{{Label: "Overview", Href: "/"}}
	if v.Campaign != nil {
		ch.Crumbs = append(ch.Crumbs, view.Crumb{Label: v.Campaign.Text, Href: v.Campaign.Href})
	}
	ch.Crumbs = append(ch.Crumbs, view.Crumb{Label: "Artifact"})
	v.Permalink = ch.Here
	if v.Place != nil {
		v.Permalink += "#place"
	}
	if v.Standing, err = p.standingOf(c, digest); err != nil {
		return err
	}
	if v.Standing != nil {
		p.addFiles(&ch, []string{"signoff.css"}, nil)
	}
	return p.render(c, page.Artifact(ch, v))
}

// digest is the artifact that the address names. A short form leads to the whole one.
func (p *artifactPages) digest(c echo.Context) (d evidence.Digest, moved bool, err error) {
	ref, err := param(c, "sha")
	if err != nil {
		return d, false, err
	}
	ref = strings.ToLower(strings.TrimPrefix(ref, "sha256:"))
	if d, err := evidence.ParseDigest(ref); err == nil {
		return d, false, nil
	}
	row, err := p.cfg.Archive.FindArtifact(c.Request().Context(), ref)
	switch {
	case errors.Is(err, evidence.ErrAmbiguous):
		return d, false, badRequest("Several artifacts begin with %s. Give more digits.", ref)
	case errors.Is(err, evidence.ErrNotFound):
		return d, false, notFound("No artifact of this archive begins with %.64s.", ref)
	case err != nil:
		return d, false, err
	}
	to := view.ArtifactURL(row.Digest) + strings.TrimPrefix(c.Path(), artifactPath)
	if q := c.Request().URL.RawQuery; q != "" {
		to += "?" + q
	}
	return row.Digest, true, c.Redirect(http.StatusFound, to)
}

// artifactQuery reads the place that was asked for.
func artifactQuery(c echo.Context) (view.ArtifactQuery, error) {
	var q view.ArtifactQuery
	v := c.QueryParams()
	for name, values := range v {
		if len(values) > 1 {
			return q, badRequest("%.40q: given more than once.", name)
		}
	}
	if q.Place = v.Has("p"); q.Place {
		q.Pointer = evidence.Pointer(v.Get("p"))
		if len(q.Pointer) > longestPointer || !utf8.ValidString(string(q.Pointer)) {
			return q, badRequest("p: want a JSON Pointer of at most %d bytes.", longestPointer)
		}
		if !q.Pointer.Valid() {
			return q, badRequest("p: %.80q is no JSON Pointer. One is empty or starts with a slash, and writes ~ as ~0 and / as ~1.", q.Pointer)
		}
	}
	var faults []error
	number := func(name string, into *int64) bool {
		text := v.Get(name)
		if text == "" {
			return false
		}
		n, err := strconv.ParseInt(text, 10, 62)
		if err != nil || n < 0 {
			faults = append(faults, badRequest("%s: want a number from 0.", name))
			return false
		}
		*into = n
		return true
	}
	var start, end, page int64
	number("s", &start)
	number("e", &end)
	number("page", &page)
	q.AtOffset = number("o", &q.Offset)
	if len(faults) > 0 {
		return q, faults[0]
	}
	const most = 1 << 31
	q.Start, q.End, q.Page = int(min(start, most)), int(min(end, most)), int(min(page, most))
	return q, nil
}

// read opens the text, hashes the bytes where that is quick, and indexes them.
func (p *artifactPages) read(in *view.ArtifactInput, rs io.ReadSeeker) error {
	size := in.Detail.Size
	if size <= rehashMax {
		buf := bytes.NewBuffer(make([]byte, 0, size+bytes.MinRead))
		if _, err := buf.ReadFrom(io.LimitReader(rs, size+1)); err != nil {
			return err
		}
		b := buf.Bytes()
		in.Check = view.CheckedNow
		if evidence.DigestOf(b) != in.Detail.Digest {
			in.Check = view.Mismatch
		}
		rs, size = bytes.NewReader(b), int64(len(b))
	}
	var err error
	if in.Text, err = artifacttext.Open(rs, size); err != nil {
		return err
	}
	if in.Check == view.Mismatch {
		// What was indexed under this digest were other bytes.
		in.Index, _, err = artifacttext.NewCache(0).Get(in.Detail.Digest, in.Text)
		return err
	}
	x, fresh, err := p.indexes.Get(in.Detail.Digest, in.Text)
	if err != nil {
		return err
	}
	in.Index = x
	if in.Check == view.Unchecked {
		in.Check = view.CheckedOnce
		switch {
		case x.Digest != in.Detail.Digest:
			in.Check = view.Mismatch
		case fresh:
			in.Check = view.CheckedNow
		}
	}
	return nil
}

// rawStep is how much of an artifact is sent before the time to write is renewed.
const (
	rawStep    = 1 << 20
	rawTimeout = 60 * time.Second
)

// raw sends the bytes as they came in, to be saved and never shown: what stands in
// them is hostile.
func (p *artifactPages) raw(c echo.Context) error {
	digest, moved, err := p.digest(c)
	if err != nil || moved {
		return err
	}
	ctx := c.Request().Context()
	row, err := p.cfg.Archive.FindArtifact(ctx, digest.String())
	if err != nil {
		return err
	}
	if err := p.stamp(c); err != nil {
		return err
	}
	h := c.Response().Header()
	tag := `"` + digest.String() + `"`
	h.Set("ETag", tag)
	h.Set("Cache-Control", "private, max-age=31536000, immutable")
	if matches(c.Request().Header.Get("If-None-Match"), tag) {
		return c.NoContent(http.StatusNotModified)
	}
	ext := ".json"
	if row.Values == 0 {
		ext = ".bin"
	}
	h.Set(echo.HeaderContentType, echo.MIMEOctetStream)
	h.Set("Content-Disposition", `attachment; filename="`+digest.Short()+ext+`"`)
	h.Set(echo.HeaderContentLength, strconv.FormatInt(row.Size, 10))
	if c.Request().Method == http.MethodHead {
		return c.NoContent(http.StatusOK)
	}
	return p.send(ctx, c, row)
}

// send copies the bytes out in steps, each with its own time to write.
func (p *artifactPages) send(ctx context.Context, c echo.Context, row evidence.ArtifactRow) error {
	rs, err := p.cfg.Archive.OpenArtifact(ctx, row.ID)
	if err != nil {
		return err
	}
	defer rs.Close()
	rc := http.NewResponseController(c.Response())
	c.Response().WriteHeader(http.StatusOK)
	for {
		// A writer without deadlines has nothing to renew.
		_ = rc.SetWriteDeadline(p.cfg.Now().Add(rawTimeout))
		n, err := io.CopyN(c.Response(), rs, rawStep)
		switch {
		case err == io.EOF:
			return nil
		case err != nil && gone(ctx, ctx.Err()):
			return nil
		case err != nil:
			// The length is promised: a cut connection says that it was not kept.
			p.cfg.Log.Error("artifact bytes", "id", requestID(c), "artifact", row.Digest.Short(), "after", n, "error", err.Error())
			panic(http.ErrAbortHandler)
		}
	}
}

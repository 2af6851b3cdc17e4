package web

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"assay/web/view"
)

// Upload is one file that is handed in.
type Upload struct {
	Name     string // as its sender calls it; never evidence of anything
	Campaign string // "" when nobody declared one
	Body     io.Reader
}

var errTooLarge = errors.New("larger than what is taken in")

// incoming is what a request brings: a list of files that is read as it comes.
type incoming struct {
	limit    int64
	campaign string
	single   *Upload           // the body is one file
	parts    *multipart.Reader // else a form
	total    *paced
	check    func(secret string) error // of a token in the form; nil when there need not be one

	body  *oneFile // of the file in hand
	name  string   // likewise
	part  int      // of the form, from 1
	files int
}

// incoming opens the body of a script's request.
func (s *Server) incoming(c echo.Context) (*incoming, error) {
	r := c.Request()
	if enc := r.Header.Get("Content-Encoding"); enc != "" && !strings.EqualFold(enc, "identity") {
		return nil, &statusError{status: http.StatusUnsupportedMediaType, text: fmt.Sprintf("Content-Encoding %.40q: send the bytes as they are; their digest is their name.", enc)}
	}
	media, _, err := mime.ParseMediaType(r.Header.Get(echo.HeaderContentType))
	if err == nil && strings.HasPrefix(media, "multipart/") {
		return s.incomingForm(c, false)
	}
	in := s.opened(c)
	name, err := either(c, "name", "Assay-Name")
	if err != nil {
		return nil, err
	}
	if in.campaign, err = either(c, "campaign", "Assay-Campaign"); err != nil {
		return nil, err
	}
	if err := checkCampaign(in.campaign); err != nil {
		return nil, err
	}
	switch {
	case r.ContentLength == 0:
		return nil, badRequest("The body is empty: send the bytes of one file, for example with curl --data-binary @FILE.")
	case r.ContentLength > in.limit:
		return nil, &statusError{status: http.StatusRequestEntityTooLarge, text: fmt.Sprintf("The body of %d bytes is larger than %s, the most that is taken in here (--max-upload).", r.ContentLength, view.Size(in.limit))}
	}
	in.single = &Upload{Name: cleanName(name)}
	return in, nil
}

// either is a value of the query, or of a header where the query has none.
func either(c echo.Context, param, header string) (string, error) {
	v, err := query(c, param)
	if err != nil || v != "" {
		return v, err
	}
	v = strings.TrimSpace(c.Request().Header.Get(header))
	if len(v) > longestParam || !utf8.ValidString(v) {
		return "", badRequest("%s: want text of at most %d bytes.", header, longestParam)
	}
	return v, nil
}

// incomingForm opens a form with files. With ask, its first field has to be a token.
func (s *Server) incomingForm(c echo.Context, ask bool) (*incoming, error) {
	in := s.opened(c)
	var err error
	c.Request().Body = io.NopCloser(in.total)
	if in.parts, err = c.Request().MultipartReader(); err != nil {
		return nil, &statusError{status: http.StatusUnsupportedMediaType, text: "Content-Type: want multipart/form-data with a boundary."}
	}
	if ask {
		in.check = func(secret string) error { return s.checkToken(c, secret) }
	}
	return in, nil
}

func (s *Server) opened(c echo.Context) *incoming {
	return &incoming{limit: s.cfg.MaxUpload, total: newPaced(c.Response(), c.Request().Body)}
}

// next is the next file, nil at the end.
func (in *incoming) next() (*Upload, error) {
	if in.parts == nil {
		u := in.single
		if in.single = nil; u != nil {
			in.take(u, in.total)
		}
		return u, nil
	}
	for {
		p, err := in.parts.NextRawPart()
		if err == io.EOF {
			return nil, nil
		}
		in.part, in.name, in.body = in.part+1, "", nil
		if err != nil {
			return nil, err
		}
		_, params, _ := mime.ParseMediaType(p.Header.Get("Content-Disposition"))
		if file, ok := params["filename"]; ok {
			u := &Upload{Name: cleanName(file)}
			switch {
			case in.check != nil:
				return nil, &statusError{status: http.StatusUnauthorized, text: fmt.Sprintf("Part %d: a file comes before the field token. From other machines a form needs a token, as its first field.", in.part)}
			case file == "" && empty(p):
				continue // a chooser of files that nobody used
			case in.files == mostFiles:
				return nil, badRequest("Part %d: one request hands in at most %d files. Those before it are taken in.", in.part, mostFiles)
			}
			in.files++
			in.take(u, p)
			return u, nil
		}
		if err := in.field(params["name"], p); err != nil {
			return nil, err
		}
	}
}

func (in *incoming) take(u *Upload, r io.Reader) {
	in.body = &oneFile{r: r, limit: in.limit}
	in.name, u.Campaign, u.Body = u.Name, in.campaign, in.body
}

func empty(p *multipart.Part) bool {
	n, err := io.CopyN(io.Discard, p, 1)
	return n == 0 && err == io.EOF
}

// field reads one field of a form.
func (in *incoming) field(name string, r io.Reader) error {
	b, err := io.ReadAll(io.LimitReader(r, longestParam+1))
	if err != nil {
		return err
	}
	if len(b) > longestParam {
		return badRequest("Part %d, field %.40q: longer than %d bytes. A file needs a file name in its Content-Disposition.", in.part, name, longestParam)
	}
	value := strings.TrimSpace(string(b))
	switch name {
	case "token":
		if in.check != nil {
			if err := in.check(value); err != nil {
				return err
			}
			in.check = nil
		}
	case "campaign":
		if err := checkCampaign(value); err != nil {
			return err
		}
		in.campaign = value
	default:
		return badRequest("Part %d, field %.40q: not a field of this form. There are campaign, token and files.", in.part, name)
	}
	return nil
}

// place says where in the request something is.
func (in *incoming) place() string {
	if in.parts == nil {
		return "The body"
	}
	return fmt.Sprintf("Part %d, file %.200q", in.part, in.name)
}

func (in *incoming) unread() string {
	if in.parts == nil {
		return ""
	}
	return "; files before it are taken in, parts after it were not read"
}

// fault is what a broken body means, with the place where it breaks.
func (in *incoming) fault(err error) error {
	var own *statusError
	var at string
	if in.parts != nil && in.part > 0 {
		at = fmt.Sprintf("part %d", in.part)
		if in.name != "" {
			at += fmt.Sprintf(", file %.200q", in.name)
		}
		at += ", "
	}
	switch {
	case errors.As(err, &own):
		return own
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &statusError{status: http.StatusRequestTimeout, text: fmt.Sprintf("The body came too slowly: %sbyte %d. Nothing of that file is kept%s.", at, in.total.n, in.unread())}
	}
	return badRequest("The body breaks off: %sbyte %d (%.200s). Nothing of that file is kept%s.", at, in.total.n, err, in.unread())
}

// maxUploadName bounds what a file may be called.
const maxUploadName = 1000

// cleanName is the name that a sender gives a file, fit to be kept and shown.
func cleanName(name string) string {
	name = strings.ToValidUTF8(name, "\uFFFD")
	name = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return '\uFFFD'
		}
		return r
	}, name)
	for len(name) > maxUploadName {
		_, n := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-n]
	}
	if name = strings.TrimSpace(name); name == "" {
		return "upload"
	}
	return name
}

// maxCampaign bounds the id of a campaign that is declared here.
const maxCampaign = 200

func checkCampaign(id string) error {
	if len(id) > maxCampaign || !utf8.ValidString(id) || strings.ContainsFunc(id, unicode.IsControl) {
		return badRequest("campaign: want one line of text of at most %d bytes.", maxCampaign)
	}
	return nil
}

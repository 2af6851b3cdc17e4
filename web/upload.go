package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"assay/store/evidence"
	"assay/web/page"
	"assay/web/view"
)

const (
	artifactsAPI = "/api/v1/artifacts"
	intakePath   = "/intake"

	// mostUploads is how many requests hand files in at a time; others wait a while.
	mostUploads = 4
	uploadWait  = 10 * time.Second
	// mostFiles is how many files one request hands in.
	mostFiles = 10_000

	// defaultMaxUpload is the largest file that is taken in when Config does not say.
	defaultMaxUpload = 512 << 20
)

// uploads reports whether a request hands files in: its body is as large and takes as
// long as its sender makes it, and handlers bound both.
func uploads(c echo.Context) bool {
	return c.Request().Method == http.MethodPost && (c.Path() == artifactsAPI || c.Path() == intakePath)
}

// artifactsPost takes in files from scripts: one as the body, or many as a form.
func (s *Server) artifactsPost(c echo.Context) error {
	if s.cfg.Intake == nil {
		return notTaking()
	}
	if err := s.checkBearer(c); err != nil {
		return err
	}
	if err := onlyParams(c, "name", "campaign"); err != nil {
		return err
	}
	in, err := s.incoming(c)
	if err != nil {
		return err
	}
	r, err := s.takeAll(c, in)
	if err != nil {
		return err
	}
	return s.sendReport(c, r)
}

// intakePost takes in files from the page: with its script one at a time, without it
// all of them at once.
func (s *Server) intakePost(c echo.Context) error {
	if s.cfg.Intake == nil {
		return notTaking()
	}
	authorised, err := s.checkForm(c)
	if err != nil {
		return err
	}
	in, err := s.incomingForm(c, !authorised)
	if err != nil {
		return err
	}
	r, err := s.takeAll(c, in)
	if err != nil {
		return err
	}
	if wantsJSON(c.Request()) {
		return s.sendReport(c, r)
	}
	if r.fault != nil && len(r.Files) == 0 {
		return r.fault
	}
	v := view.BuildUploaded(r.Files, r.words())
	c.Response().Header().Set("Cache-Control", "no-store")
	if c.QueryParam("view") == "rows" {
		return s.write(c, r.status(), page.UploadedRows(v))
	}
	ch := s.chrome(c, "Taken in", view.SectionIntake)
	ch.Crumbs = []view.Crumb{{Label: "Overview", Href: "/"}, {Label: "Intake", Href: intakePath}, {Label: "Taken in"}}
	return s.write(c, r.status(), page.Uploaded(ch, v))
}

func notTaking() error {
	return &statusError{status: http.StatusNotFound, text: "This server takes no files in; use \"assay ingest\"."}
}

// report is the answer to files that were handed in: what "assay ingest --json" prints,
// and what went wrong with the request, if anything did.
type report struct {
	Accepted    int              `json:"accepted"`
	Duplicate   int              `json:"duplicate"`
	Archived    int              `json:"archived"`
	Quarantined int              `json:"quarantined"`
	Lost        int              `json:"lost"`
	Skipped     int              `json:"skipped"`
	Pending     int              `json:"pending"`
	Files       []evidence.Taken `json:"files"`
	Resumed     []evidence.Taken `json:"resumed"` // always empty: a server resumes when it starts

	fault error // of the request; files before it are taken in
}

func (r *report) add(t evidence.Taken) {
	if t.Findings == nil {
		t.Findings = []evidence.Finding{} // [] and never null
	}
	r.Files = append(r.Files, t)
	count := map[evidence.EndState]*int{
		evidence.Accepted: &r.Accepted, evidence.Duplicate: &r.Duplicate, evidence.Archived: &r.Archived,
		evidence.Quarantined: &r.Quarantined, evidence.Pending: &r.Pending, "skipped": &r.Skipped,
	}[t.State]
	if count == nil {
		count = &r.Lost
	}
	*count++
}

// status is 200 when every file reached an end state, quarantine included.
func (r *report) status() int {
	if r.fault != nil {
		status, _ := problem(r.fault)
		return status
	}
	return http.StatusOK
}

// words say what went wrong with the request, "" when nothing did.
func (r *report) words() string {
	if r.fault == nil {
		return ""
	}
	_, text := problem(r.fault)
	return text
}

// sendReport answers with the report; of a request that failed it says so beside what
// was taken in before.
func (s *Server) sendReport(c echo.Context, r *report) error {
	if r.fault != nil && len(r.Files) == 0 {
		return r.fault
	}
	var answer any = r
	if r.fault != nil {
		answer = struct {
			*report
			Status  int    `json:"status"`
			Error   string `json:"error"`
			Message string `json:"message"`
			Request string `json:"request"`
		}{r, r.status(), strings.ToLower(http.StatusText(r.status())), r.words(), requestID(c)}
	}
	b, err := json.Marshal(answer)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	c.Response().Header().Set("Cache-Control", "no-store")
	return c.JSONBlob(r.status(), append(b, '\n'))
}

// takeAll takes in what a request brings, one file after the other. An error means that
// nobody is there to be answered.
func (s *Server) takeAll(c echo.Context, in *incoming) (*report, error) {
	r := &report{Files: []evidence.Taken{}, Resumed: []evidence.Taken{}}
	ctx := c.Request().Context()
	release := func() {}
	defer func() { release() }()
	for r.fault == nil {
		u, err := in.next()
		if err != nil {
			r.fault = in.fault(err)
			break
		}
		if u == nil {
			break
		}
		if len(r.Files) == 0 { // only now is it known that the sender may
			if release, err = s.uploadSlot(ctx, c); err != nil {
				return nil, err
			}
		}
		t, err := s.cfg.Intake.Take(ctx, *u)
		if gone(ctx, ctx.Err()) {
			return nil, ctx.Err()
		}
		if t.State != "" {
			r.add(t)
		}
		r.fault = in.judge(t, err)
	}
	if r.fault == nil && len(r.Files) == 0 {
		r.fault = badRequest("No file came. Send one as the body, or several as parts of multipart/form-data that have a file name.")
	}
	// Reading took as long as the sender did: the answer gets its own time.
	_ = http.NewResponseController(c.Response()).SetWriteDeadline(time.Now().Add(writeTimeout))
	return r, nil
}

// uploadSlot waits until there is room for one more request that hands files in.
func (s *Server) uploadSlot(ctx context.Context, c echo.Context) (release func(), err error) {
	wait := time.NewTimer(uploadWait)
	defer wait.Stop()
	select {
	case s.slots <- struct{}{}:
		return func() { <-s.slots }, nil
	case <-ctx.Done():
		return func() {}, ctx.Err()
	case <-wait.C:
		c.Response().Header().Set("Retry-After", "10")
		return func() {}, &statusError{status: http.StatusTooManyRequests,
			text: fmt.Sprintf("%d requests hand files in already. Wait for one of them, then try again.", cap(s.slots))}
	}
}

// judge is what one file's end means for the request: nothing, or its end.
func (in *incoming) judge(t evidence.Taken, err error) error {
	switch {
	case in.body.over():
		return &statusError{status: http.StatusRequestEntityTooLarge,
			text: fmt.Sprintf("%s: larger than %s, the most that is taken in here (--max-upload). Nothing of it is kept%s.", in.place(), view.Size(in.body.limit), in.unread())}
	case in.body.err != nil:
		return in.fault(in.body.err)
	case err != nil && !errors.Is(err, context.Canceled):
		return fmt.Errorf("take %s: %w", in.place(), err)
	}
	return nil
}

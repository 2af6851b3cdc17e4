package web

import (
	"context"
	"fmt"

	"github.com/labstack/echo/v4"

	"assay/store/signoff"
	"assay/web/page"
	"assay/web/view"
)

// PolicyReader answers for the gates policy: the one in force, those that were, and the
// gates that people set aside.
type PolicyReader interface {
	Policy(ctx context.Context) (*signoff.Policy, error)
	Policies(ctx context.Context) ([]signoff.SetPolicy, error)
	GateWaivers(ctx context.Context, campaign string) ([]signoff.GateWaiver, error)
}

func (s *Server) policyRoutes() {
	if s.cfg.Policies == nil {
		return
	}
	s.get("/policy", s.policy)
	s.tables("/policy", s.policyTable)
	s.get("/policy/:sha256", s.policyFile)
}

func (s *Server) policy(c echo.Context) error {
	v, err := s.readPolicy(c)
	if err != nil {
		return err
	}
	ch := s.chrome(c, "Gates policy", view.SectionReference)
	ch.Crumbs = []view.Crumb{{Label: "Overview", Href: "/"}, {Label: "Gates policy"}}
	s.addFiles(&ch, []string{"matrix.css", "compare.css", "log.css"}, nil)
	return s.render(c, page.Policy(ch, v))
}

func (s *Server) policyTable(c echo.Context) error {
	v, err := s.readPolicy(c)
	if err != nil {
		return err
	}
	return s.table(c, "policy", v.Table())
}

func (s *Server) readPolicy(c echo.Context) (v view.Policy, err error) {
	ctx := c.Request().Context()
	err = s.cfg.Archive.Snapshot(ctx, func(ctx context.Context) error {
		p, err := s.cfg.Policies.Policy(ctx)
		if err != nil {
			return err
		}
		set, err := s.cfg.Policies.Policies(ctx)
		if err != nil {
			return err
		}
		waivers, err := s.cfg.Policies.GateWaivers(ctx, "")
		if err != nil {
			return err
		}
		v = view.BuildPolicy(p, set, waivers)
		return nil
	})
	return v, err
}

// policyFile is the text of a policy that is or was in force, byte by byte.
func (s *Server) policyFile(c echo.Context) error {
	set, err := s.cfg.Policies.Policies(c.Request().Context())
	if err != nil {
		return err
	}
	set = append(set, signoff.SetPolicy{PolicyRef: signoff.Default().Ref(), Body: signoff.DefaultPolicy()})
	for i := range set {
		if x := &set[i]; x.Digest == c.Param("sha256") {
			c.Response().Header().Set("Content-Disposition", fmt.Sprintf(`attachment; filename="policy-%s-%d.toml"`, x.Name, x.Version))
			return s.plainText(c, x.Body)
		}
	}
	return notFound("No policy with this SHA-256 was ever in force.")
}

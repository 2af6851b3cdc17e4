package web

import (
	"encoding/base64"

	"github.com/labstack/echo/v4"
)

// checkpointHeader carries the latest signed checkpoint of the log, the whole note in
// base64, with every download.
const checkpointHeader = "Assay-Checkpoint"

// stamp puts the latest checkpoint beside what is downloaded: the bytes stay what they
// are, and whoever keeps the header with them can show later that the log was rewritten.
func (s *Server) stamp(c echo.Context) error {
	if s.cfg.TransparencyLog == nil {
		return nil
	}
	signed, err := s.cfg.TransparencyLog.LatestCheckpoint(c.Request().Context())
	if err != nil {
		return err
	}
	if len(signed.Note) > 0 {
		c.Response().Header().Set(checkpointHeader, base64.StdEncoding.EncodeToString(signed.Note))
	}
	return nil
}

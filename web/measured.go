package web

import (
	"context"
	"fmt"
	"io"
	"strconv"

	"assay/store/evidence"
	"assay/web/chart"
	"assay/web/view"
)

// mostMeasured is the largest artifact that is read for the page of a run.
const mostMeasured = 16 << 20

// measured reads how a run of our own runner was measured; nil for any other.
func (s *Server) measured(ctx context.Context, r *evidence.RunRow) (*view.Measured, error) {
	if r.Family != view.MeasuredFamily {
		return nil, nil
	}
	row, err := s.cfg.Archive.FindArtifact(ctx, r.Artifact.String())
	if err != nil {
		return nil, err
	}
	if row.Size > mostMeasured {
		return &view.Measured{Unread: fmt.Sprintf("The artifact has %s, more than this page reads. Its own page has all of it.", view.Size(row.Size))}, nil
	}
	f, err := s.cfg.Archive.OpenArtifact(ctx, row.ID)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, mostMeasured))
	if err != nil {
		return nil, fmt.Errorf("artifact %s: %w", r.Artifact.Short(), err)
	}
	m, err := view.ReadMeasured(data, r.Artifact)
	if err != nil { // the reader takes more than the format allows
		return &view.Measured{Unread: "What the artifact says of this is not in its form. The artifact's own page has all of it."}, nil
	}
	return m, nil
}

// drawStrips makes the drawings of the cards.
func (s *Server) drawStrips(ch *view.Chrome, m *view.Measured) ([]*chart.Chart, error) {
	if m == nil {
		return nil, nil
	}
	var out []*chart.Chart
	for i, p := range m.Strips {
		c, err := chart.Strip("strip-"+strconv.Itoa(i+1), p)
		if err != nil {
			return nil, err
		}
		if c != nil {
			out = append(out, c)
		}
	}
	if len(out) > 0 {
		s.withCharts(ch)
	}
	return out, nil
}

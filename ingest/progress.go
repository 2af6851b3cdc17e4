package ingest

import "time"

// Progress is how far an intake has come.
type Progress struct {
	Files, TotalFiles int
	Bytes, TotalBytes int64   // TotalBytes does not count standard input
	Name              string  // of the input that was finished last
	Rate              float64 // bytes per second since the start
	Done              bool    // nothing more will come
}

// meter passes progress on, not more often than people can read.
type meter struct {
	Progress
	tell        func(Progress)
	now         func() time.Time
	start, last time.Time
}

const meterPause = 100 * time.Millisecond

func newMeter(o Options, files int, bytes int64) *meter {
	m := &meter{tell: o.Progress, now: o.Now}
	m.TotalFiles, m.TotalBytes = files, bytes
	if m.tell != nil {
		m.start = m.now()
	}
	return m
}

func (m *meter) add(name string, bytes int64) {
	m.Files++
	m.Bytes += bytes
	m.Name = name
	if m.tell == nil {
		return
	}
	if t := m.now(); t.Sub(m.last) >= meterPause {
		m.last = t
		m.report(t)
	}
}

func (m *meter) finish() {
	if m.tell != nil {
		m.Done = true
		m.report(m.now())
	}
}

func (m *meter) report(t time.Time) {
	if s := t.Sub(m.start).Seconds(); s > 0 {
		m.Rate = float64(m.Bytes) / s
	}
	m.tell(m.Progress)
}

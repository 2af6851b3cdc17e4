package gpu

import (
	"bufio"
	"io"
	"strconv"

	"assay/store/evidence"
)

// rawWriter writes every sample as a line of CSV. An empty cell is absent.
type rawWriter struct {
	w    *bufio.Writer
	line []byte
	rows int64
	err  error
}

const rawHeader = "at_ns,card,power_watts,energy_counter_joules,sm_clock_hertz,memory_clock_hertz,temperature_celsius,utilisation_ratio,memory_used_bytes,memory_free_bytes,reasons,lost\n"

func newRawWriter(w io.Writer) *rawWriter {
	r := &rawWriter{w: bufio.NewWriterSize(w, 64<<10)}
	_, r.err = r.w.WriteString(rawHeader)
	return r
}

func (r *rawWriter) add(card int, x *Reading) {
	if r.err != nil {
		return
	}
	b := strconv.AppendInt(r.line[:0], x.At.Nanoseconds(), 10)
	b = strconv.AppendInt(append(b, ','), int64(card), 10)
	for _, v := range []evidence.Opt[float64]{x.Power, x.Counter, x.SMClock, x.MemClock, x.Temperature, x.Utilisation} {
		if b = append(b, ','); v.OK {
			b = strconv.AppendFloat(b, v.V, 'g', -1, 64)
		}
	}
	for _, v := range []evidence.Opt[int64]{x.MemoryUsed, x.MemoryFree, {V: int64(x.Reasons.V), OK: x.Reasons.OK}} {
		if b = append(b, ','); v.OK {
			b = strconv.AppendInt(b, v.V, 10)
		}
	}
	if b = append(b, ','); x.Lost != "" {
		b = strconv.AppendQuote(b, x.Lost)
	}
	r.line = append(b, '\n')
	if _, r.err = r.w.Write(r.line); r.err == nil {
		r.rows++
	}
}

func (r *rawWriter) close() error {
	if r.err != nil {
		return r.err
	}
	return r.w.Flush()
}

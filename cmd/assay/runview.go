package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"assay/runner/load"
	"assay/runner/measure"
	"assay/store/evidence"
)

// runView shows a session on standard error: a few lines that are drawn again on a
// terminal, a line now and then elsewhere.
type runView struct {
	mu    sync.Mutex
	out   io.Writer
	live  bool
	width func() int
	now   func() time.Time
	what  string // arm and workload

	last  measure.State
	drawn int    // lines on the screen
	said  string // the last line, where lines stay
	when  time.Time
}

const (
	redraw = 200 * time.Millisecond
	retell = 10 * time.Second
	narrow = 40
)

func newRunView(e *env, o *measure.Options) *runView {
	v := &runView{out: e.Stderr, live: e.terminal(e.Stderr), now: time.Now, width: func() int { return 80 },
		what: oneLine(fmt.Sprintf("%s on %s", o.Workload.Name, o.Target.Endpoint))}
	if f, ok := e.Stderr.(*os.File); ok && v.live {
		v.width = func() int {
			w, _, err := term.GetSize(int(f.Fd()))
			if err != nil {
				return 80
			}
			return max(narrow, w)
		}
	}
	return v
}

// show is told every change.
func (v *runView) show(s measure.State) {
	v.mu.Lock()
	defer v.mu.Unlock()
	changed := s.Stage != v.last.Stage || s.Step != v.last.Step || s.Repeat != v.last.Repeat || s.Stage == measure.StagePreflight && s.Done != v.last.Done
	v.last = s
	now := v.now()
	switch {
	case v.live && (changed || now.Sub(v.when) >= redraw):
		v.when = now
		v.draw(runLines(v.what, &s, v.width()))
	case !v.live && (changed || now.Sub(v.when) >= retell):
		v.when = now
		if line := strings.Join(runWords(&s), ", "); line != v.said {
			v.said = line
			fmt.Fprintln(v.out, line)
		}
	}
}

// draw replaces what stands on the screen.
func (v *runView) draw(lines []string) {
	var b strings.Builder
	if v.drawn > 0 {
		fmt.Fprintf(&b, "\x1b[%dA\x1b[J", v.drawn)
	}
	for _, l := range lines {
		b.WriteString(l + "\n")
	}
	v.drawn = len(lines)
	io.WriteString(v.out, b.String())
}

// file tells that an artifact lies there, above the live lines.
func (v *runView) file(f *runFile) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.live && v.drawn > 0 {
		fmt.Fprintf(v.out, "\x1b[%dA\x1b[J", v.drawn)
		v.drawn = 0
	}
	state := string(f.State)
	if state == "" {
		state = "written"
	}
	fmt.Fprintf(v.out, "%s: %s\n", state, oneLine(f.Path))
}

// close takes the live lines off the screen.
func (v *runView) close() {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.live && v.drawn > 0 {
		fmt.Fprintf(v.out, "\x1b[%dA\x1b[J", v.drawn)
		v.drawn = 0
	}
}

// runLines are the lines of a terminal, each within width.
func runLines(what string, s *measure.State, width int) []string {
	lines := []string{what + "  " + clock2(s.Elapsed), strings.Join(runWords(s), ", ")}
	if s.Stage == measure.StageMeasure {
		if s.Planned > 0 {
			lines = append(lines, meter(s.Ended, s.Planned, width))
		}
		figures := []string{fmt.Sprintf("%d open", s.Open)}
		add := func(name string, v evidence.Opt[float64], factor float64, unit string) {
			if v.OK {
				figures = append(figures, fmt.Sprintf("%s %.*f %s", name, digits(v.V*factor), v.V*factor, unit))
			}
		}
		add("TTFT p50", s.TTFT, 1e3, "ms")
		add("TPOT p50", s.TPOT, 1e3, "ms")
		add("output", s.OutputRate, 1, "tok/s")
		add("requests", s.RequestRate, 1, "/s")
		watts, known := 0.0, false
		for _, w := range s.Watts {
			watts += w.V
			known = known || w.OK
		}
		if known {
			figures = append(figures, fmt.Sprintf("%.0f W", watts))
		}
		lines = append(lines, strings.Join(figures, "  "))
		if s.LastFailure != "" {
			lines = append(lines, "last failure: "+s.LastFailure)
		}
	}
	for i := range lines {
		lines[i] = cutTo(oneLine(lines[i]), width-1)
	}
	return lines
}

func digits(v float64) int {
	if v < 10 {
		return 2
	}
	if v < 100 {
		return 1
	}
	return 0
}

// runWords say where the session is.
func runWords(s *measure.State) []string {
	var w []string
	switch s.Stage {
	case measure.StageIdentify:
		w = append(w, "asking the endpoint who it is")
	case measure.StageCalibrate:
		w = append(w, "calibrating this client")
	case measure.StagePreflight:
		w = append(w, fmt.Sprintf("functional checks %d of %d", s.Done, s.Of))
	case measure.StagePrompts:
		w = append(w, "counting prompts of step "+s.Step)
	case measure.StageMeasure:
		w = append(w, fmt.Sprintf("step %s (%d of %d)", s.Step, s.StepIndex, s.Steps), fmt.Sprintf("repeat %d of %d", s.Repeat, s.Repeats))
		if s.Phase != "" {
			w = append(w, phaseWord(s.Phase))
		}
		done := fmt.Sprintf("%d requests", s.Ended)
		if s.Planned > 0 {
			done = fmt.Sprintf("%d of %d requests", s.Ended, s.Planned)
		}
		w = append(w, done)
		if s.Failed > 0 {
			w = append(w, fmt.Sprintf("%d failed", s.Failed))
		}
	case measure.StageWrite:
		w = append(w, "writing")
	case measure.StageDone:
		w = append(w, "done")
	}
	if s.Note != "" && s.Stage != measure.StageWrite {
		w = append(w, s.Note)
	}
	if s.ETA.OK && s.Stage == measure.StageMeasure {
		w = append(w, "about "+clock2(s.ETA.V)+" left")
	}
	for i := range w {
		w[i] = oneLine(w[i])
	}
	return w
}

func phaseWord(p load.Phase) string {
	return map[load.Phase]string{load.Warmup: "warm-up", load.Ramp: "ramp", load.Measure: "measuring", load.Drain: "draining"}[p]
}

// clock2 is a duration as 1:02:03 or 4:05.
func clock2(d time.Duration) string {
	s := int(d.Seconds())
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// meter is a bar of what is done.
func meter(done, of int64, width int) string {
	text := fmt.Sprintf(" %d/%d", done, of)
	room := min(40, max(10, width-len(text)-3))
	full := int(min(done, of) * int64(room) / of)
	return "[" + strings.Repeat("#", full) + strings.Repeat(".", room-full) + "]" + text
}

// cutTo bounds a line, counting runes.
func cutTo(s string, width int) string {
	r := []rune(s)
	if len(r) <= width {
		return s
	}
	return string(r[:max(0, width-1)]) + "…"
}

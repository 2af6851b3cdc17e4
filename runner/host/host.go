package host

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/shirou/gopsutil/v4/cpu"
	psutil "github.com/shirou/gopsutil/v4/host"
	"github.com/shirou/gopsutil/v4/load"
	"github.com/shirou/gopsutil/v4/mem"
	"github.com/shirou/gopsutil/v4/process"

	"assay/ingest/artifact"
)

// Describe is the machine as it stands.
func Describe() artifact.Host {
	h := artifact.Host{OS: runtime.GOOS, CPUs: runtime.NumCPU(), Environment: environment()}
	if v, err := psutil.KernelVersion(); err == nil {
		h.Kernel = word(v)
	}
	if info, err := cpu.Info(); err == nil && len(info) > 0 {
		h.CPU = word(info[0].ModelName)
	}
	if m, err := mem.VirtualMemory(); err == nil {
		n := int64(m.Total)
		h.Memory = &n
	}
	return h
}

// environment is "wsl2", "container" or "native".
func environment() string {
	if v, err := os.ReadFile("/proc/version"); err == nil && strings.Contains(strings.ToLower(string(v)), "microsoft") {
		return "wsl2"
	}
	for _, mark := range []string{"/.dockerenv", "/run/.containerenv"} {
		if _, err := os.Stat(mark); err == nil {
			return "container"
		}
	}
	if os.Getenv("KUBERNETES_SERVICE_HOST") != "" {
		return "container"
	}
	return "native"
}

func word(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
	return strings.Join(strings.Fields(s[:min(len(s), 200)]), " ")
}

const period = time.Second

// Watch looks at the machine once a second.
type Watch struct {
	cancel   context.CancelFunc
	done     chan struct{}
	least    int64 // of available memory; 0: never told
	stalled  uint64
	pressure bool
	started  time.Time
	busy     map[int32]float64 // processor seconds by process, at the start
}

// Start begins to look.
func Start(ctx context.Context) *Watch {
	ctx, cancel := context.WithCancel(ctx)
	w := &Watch{cancel: cancel, done: make(chan struct{}), started: time.Now(), busy: processorTimes()}
	w.stalled, w.pressure = stalled()
	w.look()
	go func() {
		defer close(w.done)
		ticker := time.NewTicker(period)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
				w.look()
			}
		}
	}()
	return w
}

func (w *Watch) look() {
	if m, err := mem.VirtualMemory(); err == nil {
		if n := int64(m.Available); w.least == 0 || n < w.least {
			w.least = n
		}
	}
}

// Stop ends the watch and writes what was seen into h.
func (w *Watch) Stop(h *artifact.Host) {
	w.cancel()
	<-w.done
	w.look()
	h.MemoryFree, h.Pressure, h.Load = nil, nil, nil
	if w.least > 0 {
		n := w.least
		h.MemoryFree = &n
	}
	took := time.Since(w.started)
	if now, ok := stalled(); ok && w.pressure && took > 0 {
		share := min(1, float64(now-w.stalled)/float64(took.Microseconds()))
		h.Pressure = &share
	}
	if l, err := load.Avg(); err == nil {
		h.Load = &l.Load1
	}
	h.OtherLoad = w.others(took)
}

// stalled is for how many microseconds some task has waited for memory since the machine
// was started; older kernels do not say.
func stalled() (uint64, bool) {
	f, err := os.Open("/proc/pressure/memory")
	if err != nil {
		return 0, false
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		rest, some := strings.CutPrefix(lines.Text(), "some ")
		if _, total, ok := strings.Cut(rest, "total="); some && ok {
			n, err := strconv.ParseUint(total, 10, 64)
			return n, err == nil
		}
	}
	return 0, false
}

const mostProcesses = 4096

// processorTimes are the processor seconds of every process that can be seen.
func processorTimes() map[int32]float64 {
	out := map[int32]float64{}
	pids, err := process.Pids()
	if err != nil {
		return out
	}
	for _, pid := range pids[:min(len(pids), mostProcesses)] {
		p := process.Process{Pid: pid}
		if t, err := p.Times(); err == nil {
			out[pid] = t.User + t.System
		}
	}
	return out
}

const (
	busyShare = 0.2 // of one core, from which on a process is told
	mostTold  = 6
)

// others names who used the machine beside this program. An engine on this machine is one
// of them: nobody tells it apart here.
func (w *Watch) others(took time.Duration) string {
	type user struct {
		name  string
		cores float64
	}
	var list []user
	for pid, now := range processorTimes() {
		cores := (now - w.busy[pid]) / took.Seconds()
		if int(pid) == os.Getpid() || cores < busyShare {
			continue
		}
		p := process.Process{Pid: pid}
		name, err := p.Name()
		if err != nil {
			continue
		}
		list = append(list, user{word(name), cores})
	}
	slices.SortFunc(list, func(a, b user) int { return cmp.Or(cmp.Compare(b.cores, a.cores), cmp.Compare(a.name, b.name)) })
	var out []string
	for _, u := range list[:min(len(list), mostTold)] {
		out = append(out, fmt.Sprintf("%s %.1f cores", u.name, u.cores))
	}
	return strings.Join(out, ", ")
}

package engine

import (
	"context"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	netutil "github.com/shirou/gopsutil/v4/net"
	ps "github.com/shirou/gopsutil/v4/process"
)

// process is who listens.
type process struct {
	pid       int
	engine    string // by its command line, "" when it is none that is known
	args      []string
	container string
	why       string // it is not known
}

// local finds the listening process where the endpoint is on this machine.
func (p *probe) local(endpoint string) {
	host, port := hostPort(endpoint)
	if !ours(p.ctx, host) {
		return
	}
	p.id.Local = true
	p.exe = listener(p.ctx, port)
	if p.exe.pid > 0 {
		p.id.PID = p.exe.pid
		p.id.Args = bounded(redact(p.exe.args))
	}
}

func hostPort(endpoint string) (host string, port uint32) {
	u, err := url.Parse(endpoint)
	if err != nil {
		return "", 0
	}
	text := u.Port()
	if text == "" {
		text = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	n, _ := strconv.ParseUint(text, 10, 16) // a bad port reached nobody
	return u.Hostname(), uint32(n)
}

// ours reports whether a host is this machine.
func ours(ctx context.Context, host string) bool {
	ips := resolve(ctx, host)
	own, err := net.InterfaceAddrs()
	if err != nil {
		own = nil
	}
	for _, ip := range ips {
		if ip.IsLoopback() {
			return true
		}
		for _, a := range own {
			if n, ok := a.(*net.IPNet); ok && n.IP.Equal(ip) {
				return true
			}
		}
	}
	return false
}

func resolve(ctx context.Context, host string) []net.IP {
	if ip := net.ParseIP(host); ip != nil {
		return []net.IP{ip}
	}
	addrs, err := net.DefaultResolver.LookupIPAddr(ctx, host)
	if err != nil {
		return nil
	}
	var out []net.IP
	for _, a := range addrs {
		out = append(out, a.IP)
	}
	return out
}

// private reports whether an address is of a network of one's own.
func private(endpoint string) bool {
	host, _ := hostPort(endpoint)
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && (ip.IsPrivate() || ip.IsLoopback() || ip.IsLinkLocalUnicast())
}

// mostParents is how far up an engine's own command line is looked for: servers that set
// the title of their workers lose theirs.
const mostParents = 3

func listener(ctx context.Context, port uint32) process {
	list, err := netutil.ConnectionsMaxWithContext(ctx, "tcp", 4096)
	if err != nil {
		return process{why: "the sockets of this machine cannot be read"}
	}
	var pid int32
	for _, c := range list {
		if c.Status == "LISTEN" && c.Laddr.Port == port && c.Pid > 0 {
			pid = c.Pid
			break
		}
	}
	if pid == 0 {
		return process{why: "the listening process belongs to another user, or is in a container"}
	}
	first := process{}
	for range mostParents {
		x, err := ps.NewProcessWithContext(ctx, pid)
		if err != nil {
			break
		}
		args, err := x.CmdlineSliceWithContext(ctx)
		if err != nil || len(args) == 0 {
			break
		}
		name := filepath.Base(args[0])
		if name == "docker-proxy" || name == "rootlessport" || name == "slirp4netns" || name == "pasta" {
			return process{why: "the port leads into a container (" + name + ")"}
		}
		found := process{pid: int(pid), engine: recognise(args), args: args, container: containerOf(int(pid))}
		if found.engine != "" {
			return found
		}
		if first.pid == 0 {
			first = found
		}
		if pid, err = x.PpidWithContext(ctx); err != nil || pid <= 1 {
			break
		}
	}
	if first.pid == 0 {
		first.why = "its command line cannot be read"
	}
	return first
}

// recognise knows engines by their command lines.
func recognise(args []string) string {
	for _, a := range args[:min(len(args), 12)] {
		switch base := filepath.Base(a); {
		case base == "llama-server", base == "llama-server.exe":
			return LlamaCPP
		case base == "vllm", strings.HasPrefix(a, "vllm.entrypoints."), strings.HasPrefix(a, "VLLM::"):
			return VLLM
		case base == "sglang", strings.HasPrefix(a, "sglang.launch_server"), strings.HasPrefix(a, "sglang::"):
			return SGLang
		case base == "ollama":
			return Ollama
		}
	}
	return ""
}

var containerID = regexp.MustCompile(`[0-9a-f]{64}`)

// containerOf is the beginning of the id of the container that a process is in, "" for none
// that its control group names.
func containerOf(pid int) string {
	data, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "cgroup"))
	if err != nil {
		return ""
	}
	own, _ := os.ReadFile("/proc/self/cgroup")
	if string(own) == string(data) {
		return "" // the same as ours: from here the engine is a process
	}
	if id := containerID.Find(data); id != nil {
		return string(id[:12])
	}
	return ""
}

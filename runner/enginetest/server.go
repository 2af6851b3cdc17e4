package enginetest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// Names of the variables that say where the engine is, and that there must be one.
const (
	binaryVariable  = "ASSAY_LLAMA_SERVER"
	requireVariable = "ASSAY_REQUIRE_ENGINE"
)

// ModelName is what the server calls its model.
const ModelName = "assay-test"

// Options of a server. Zero fields take their defaults.
type Options struct {
	Model   string   // path; a tiny model is made when empty
	Slots   int      // requests that are served at once: 1
	Context int      // tokens of each slot: 8192
	Args    []string // further arguments of the server; they win over those made of the rest
}

// Server is a running engine.
type Server struct {
	URL string // endpoint, without a path
	PID int
}

// startTries is how often another port is tried: between the choice of a free one and the
// server's own bind another process may take it.
const startTries = 3

// healthy bounds the wait for the server, which reads its model first.
const healthy = time.Minute

// Start runs the engine until the test ends. It skips the test, or fails it, where there is
// none.
func Start(t testing.TB, o Options) *Server {
	t.Helper()
	binary := os.Getenv(binaryVariable)
	if binary == "" {
		const why = "no engine to test with: " + binaryVariable + " does not name a llama-server (.ci/llama-server gets one)"
		if os.Getenv(requireVariable) == "1" {
			t.Fatal(why)
		}
		t.Skip(why)
	}
	if o.Model == "" {
		o.Model = Model(t, Dims{Context: o.Context})
	}
	if o.Slots == 0 {
		o.Slots = 1
	}
	if o.Context == 0 {
		o.Context = 8192
	}
	for try := 1; ; try++ {
		s, err := start(t, binary, o)
		if err == nil {
			return s
		}
		if try == startTries || !strings.Contains(err.Error(), "bind") {
			t.Fatalf("enginetest: %v", err)
		}
	}
}

func start(t testing.TB, binary string, o Options) (*Server, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	// One thread: the other processor is the load generator's.
	args := []string{"--model", o.Model, "--alias", ModelName, "--host", "127.0.0.1", "--port", strconv.Itoa(port),
		"--parallel", strconv.Itoa(o.Slots), "--ctx-size", strconv.Itoa(o.Slots * o.Context),
		"--threads", "1", "--metrics", "--no-webui"}
	cmd := exec.Command(binary, append(args, o.Args...)...)
	log := &tail{}
	cmd.Stdout, cmd.Stderr = log, log
	cmd.WaitDelay = 5 * time.Second
	own(cmd)
	started, ended := make(chan error), make(chan struct{})
	go func() {
		runtime.LockOSThread() // the kernel ends the server when the thread that started it ends
		defer close(ended)
		err := cmd.Start()
		if started <- err; err == nil {
			cmd.Wait()
		}
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	t.Cleanup(func() {
		kill(cmd)
		<-ended
	})
	s := &Server{URL: "http://127.0.0.1:" + strconv.Itoa(port), PID: cmd.Process.Pid}
	if err := s.wait(ended); err != nil {
		return nil, fmt.Errorf("%s: %w; its last lines:\n%s", binary, err, log)
	}
	return s, nil
}

// wait until the server is well, has ended, or has taken too long.
func (s *Server) wait(ended <-chan struct{}) error {
	ctx, cancel := context.WithTimeout(context.Background(), healthy)
	defer cancel()
	for {
		well := s.well(ctx)
		select {
		case <-ended: // and if something answered on its port, that was another
			return errors.New("it ended before it was ready")
		case <-ctx.Done():
			return fmt.Errorf("it was not ready within %v", healthy)
		case <-time.After(20 * time.Millisecond):
			if well {
				return nil
			}
		}
	}
}

func (s *Server) well(ctx context.Context) bool {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL+"/health", nil)
	if err != nil {
		return false
	}
	req.Close = true
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// tail keeps the end of what is written to it.
type tail struct {
	mu  sync.Mutex
	end []byte
}

const tailBytes = 2 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.end = append(t.end, p...)
	t.end = t.end[max(0, len(t.end)-tailBytes):]
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.end)
}

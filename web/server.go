package web

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"assay/store/account"
	"assay/store/evidence"
)

// Limits of one connection and one request.
const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 15 * time.Second
	writeTimeout      = 60 * time.Second // exports extend it as they go
	idleTimeout       = 2 * time.Minute
	pageTimeout       = 20 * time.Second // of the archive's answer to one page
	shutdownGrace     = 10 * time.Second
	maxHeaderBytes    = 64 << 10
	maxBody           = "64K" // of forms that hand no files in
	maxSigned         = "8M"  // of drafts and of statements with their signature
	mostHashes        = 2
)

// Server answers HTTP requests from one archive.
type Server struct {
	cfg     Config
	echo    *echo.Echo
	counts  recent[evidence.Counts]
	logSize recent[int64]
	tallied tallyCache
	origin  *http.CrossOriginProtection
	slots   chan struct{} // of requests that hand files in

	throttle *account.Throttle
	hashes   chan struct{} // of passwords that are hashed at a time
	secret   [32]byte      // of this process; forms of people whom a proxy signs in carry a code made with it
	pending  pendings      // people who gave their password and owe a passkey

	backlog backlog
}

// New wires a server; it opens nothing and starts nothing.
func New(cfg Config) (*Server, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	s := &Server{cfg: cfg, echo: echo.New(), origin: http.NewCrossOriginProtection(), slots: make(chan struct{}, mostUploads),
		throttle: newThrottle(), hashes: make(chan struct{}, mostHashes)}
	_, _ = rand.Read(s.secret[:]) // never fails
	s.echo.HideBanner, s.echo.HidePort = true, true
	s.echo.HTTPErrorHandler = s.fail
	s.use()
	s.routes()
	if err := s.checkRights(); err != nil {
		return nil, err
	}
	return s, nil
}

// Handler is the whole server as a handler.
func (s *Server) Handler() http.Handler { return s.echo }

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.echo.ServeHTTP(w, r) }

// Serve answers on l until ctx ends, then lets running requests finish.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	srv := &http.Server{
		Handler:           s.echo,
		ReadHeaderTimeout: readHeaderTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		// A request outlives ctx: shutting down waits for it.
		BaseContext: func(net.Listener) context.Context { return context.WithoutCancel(ctx) },
	}
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(l) }()
	select {
	case err := <-ended:
		return fmt.Errorf("serve on %s: %w", l.Addr(), err)
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownGrace)
	defer cancel()
	if err := srv.Shutdown(grace); err != nil {
		_ = srv.Close()
		return fmt.Errorf("shut down %s: %w", l.Addr(), err)
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve on %s: %w", l.Addr(), err)
	}
	return nil
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"syscall"

	"github.com/spf13/cobra"

	"assay/assets"
	"assay/store"
	"assay/web"
)

const (
	defaultListen    = "127.0.0.1:8321"
	defaultMaxUpload = byteSize(512 << 20)
)

type serveFlags struct {
	listen     string
	publicRead bool
	hosts      []string
	maxUpload  byteSize
}

func (f *serveFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.listen, "listen", defaultListen, "address to answer at; port 0 takes a free one")
	cmd.Flags().BoolVar(&f.publicRead, "public-read", false, "answer at an address that other machines reach: everyone there can read the archive, and writing takes a token")
	f.maxUpload = defaultMaxUpload
	cmd.Flags().Var(&f.maxUpload, "max-upload", "largest file that is taken in over HTTP")
	cmd.Flags().StringArrayVar(&f.hosts, "host", nil, "further host name to answer to (repeatable)")
}

func (r *root) serveCommand() *cobra.Command {
	var fl serveFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the archive's pages and tables over HTTP",
		Long: "Serves the archive on a loopback address. There is no sign-in, so an address that other\n" +
			"machines reach is refused unless --public-read says that all may read. Pages take files in\n" +
			"and repairs from browsers on this machine, unless --public-read is given; scripts and\n" +
			"other machines hand files in with a token (\"assay token add\").\n" +
			"Readings that an earlier process did not finish are finished first.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if err := fl.check(); err != nil {
				return err
			}
			archive, err := r.open(cmd.Context())
			if err != nil {
				return err
			}
			defer closing(archive, &err)
			return r.serve(cmd.Context(), archive, fl, r.db)
		},
	}
	fl.add(cmd)
	return cmd
}

// check refuses an address that others reach unless that is meant.
func (f *serveFlags) check() error {
	host, port, err := net.SplitHostPort(f.listen)
	if err != nil {
		return usagef("--listen %s: want HOST:PORT, for example %s", f.listen, defaultListen)
	}
	if f.publicRead || loopback(host) {
		return nil
	}
	return usagef("--listen %s: other machines can reach this address and pages have no sign-in; "+
		"use --listen 127.0.0.1:%s, or add --public-read to let everyone who reaches it read the archive", f.listen, port)
}

func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// serve answers until the context ends. Unfinished readings run beside it.
func (r *root) serve(ctx context.Context, archive *store.Archive, fl serveFlags, what string) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", fl.listen)
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("listen %s: the port is taken; stop the process that has it, or choose another with --listen 127.0.0.1:PORT (0 takes a free one)", fl.listen)
	}
	if err != nil {
		return fmt.Errorf("listen %s: %w", fl.listen, err)
	}
	files, err := assets.New()
	if err != nil {
		listener.Close()
		return err
	}
	server, err := web.New(web.Config{
		Archive: archive, Assets: files, Listen: listener.Addr().String(), Hosts: fl.hosts,
		Intake: newUploads(archive, int64(fl.maxUpload), r.env.Now), Tokens: archive, Repairs: archive, Waivers: archive, MaxUpload: int64(fl.maxUpload), LocalWrites: !fl.publicRead,
		Version: moduleVersion(), Readers: readerRefs(), Now: r.env.Now,
		Log: slog.New(slog.NewTextHandler(r.env.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})),
	})
	if err != nil {
		listener.Close()
		return err
	}
	if !files.HasCharts() {
		fmt.Fprintln(r.env.Stderr, "assay: built without the chart library; charts show their tables (npm and \"make assets\" add it)")
	}
	resumed := r.resumeBeside(ctx, archive, r.env.Stderr)
	fmt.Fprintf(r.env.Stdout, "serving %s at http://%s/ (stop with Ctrl-C)\n", what, listener.Addr())
	err = server.Serve(ctx, listener)
	<-resumed
	return err
}

// resumeBeside finishes what an earlier process left pending. A failure is told and
// leaves the server up: what can be read is still shown.
func (r *root) resumeBeside(ctx context.Context, archive *store.Archive, log io.Writer) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := resume(ctx, archive); err != nil && !errors.Is(err, context.Canceled) {
			fmt.Fprintf(log, "assay: unfinished readings: %s\n", oneLine(err.Error()))
		}
	}()
	return done
}

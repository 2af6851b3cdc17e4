package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"regexp"
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
	proxy      string
	proxyFrom  []string
}

func (f *serveFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.listen, "listen", defaultListen, "address to answer at; port 0 takes a free one")
	cmd.Flags().BoolVar(&f.publicRead, "public-read", false, "let everyone who reaches the address read without signing in; writing always takes a sign-in or a token")
	cmd.Flags().StringVar(&f.proxy, "proxy-header", "", "take who is signed in from this header of a reverse proxy (with --proxy-from)")
	cmd.Flags().StringArrayVar(&f.proxyFrom, "proxy-from", nil, "address or network of a reverse proxy in front, for example 10.0.0.2/32 (repeatable): it says whether it was reached over TLS, and by whom")
	f.maxUpload = defaultMaxUpload
	cmd.Flags().Var(&f.maxUpload, "max-upload", "largest file that is taken in over HTTP")
	cmd.Flags().StringArrayVar(&f.hosts, "host", nil, "further host name to answer to (repeatable)")
}

func (r *root) serveCommand() *cobra.Command {
	var fl serveFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the archive's pages and tables over HTTP",
		Long: "Reading takes a sign-in, unless --public-read says that all may read; writing always does. Scripts use a\n" +
			"token (\"assay token add\"). While there is no admin who could sign in, a one-time link for the first one is\n" +
			"printed here. Traffic is not encrypted: for other machines put a reverse proxy with TLS in front and name\n" +
			"it with --proxy-from.\n" +
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

// check refuses what cannot be meant, all of it at once.
func (f *serveFlags) check() error {
	var faults []error
	if _, _, err := net.SplitHostPort(f.listen); err != nil {
		faults = append(faults, fmt.Errorf("--listen %s: want HOST:PORT, for example %s", f.listen, defaultListen))
	}
	if _, err := f.trusted(); err != nil {
		faults = append(faults, err)
	}
	if err := joined(faults); err != nil {
		return usageError{err}
	}
	return nil
}

// headerName is what may stand before the colon of a header.
var headerName = regexp.MustCompile(`^[A-Za-z0-9-]{1,64}$`)

// trusted is the reverse proxy in front; nil for none.
func (f *serveFlags) trusted() (*web.Proxy, error) {
	if f.proxy == "" && len(f.proxyFrom) == 0 {
		return nil, nil
	}
	if len(f.proxyFrom) == 0 {
		return nil, errors.New("--proxy-header NAME needs --proxy-from NETWORK: whose header it is")
	}
	if f.proxy != "" && !headerName.MatchString(f.proxy) {
		return nil, fmt.Errorf("--proxy-header %.60q: want the name of a header, for example X-Remote-User", f.proxy)
	}
	p := &web.Proxy{Header: f.proxy}
	for _, text := range f.proxyFrom {
		prefix, err := netip.ParsePrefix(text)
		if addr, aerr := netip.ParseAddr(text); err != nil && aerr == nil {
			prefix, err = netip.PrefixFrom(addr, addr.BitLen()), nil
		}
		if err != nil {
			return nil, fmt.Errorf("--proxy-from %s: want an address or a network, for example 10.0.0.2/32", text)
		}
		p.From = append(p.From, prefix.Masked())
	}
	return p, nil
}

// firstAdmin prints a one-time link while nobody could keep accounts.
func (r *root) firstAdmin(ctx context.Context, p people, address string) error {
	name, secret, err := p.FirstAdmin(ctx)
	if err != nil || secret == "" {
		return err
	}
	_, err = fmt.Fprintf(r.env.Stdout, "first sign-in as %s, once, within 24 hours: http://%s/welcome/%s\n", name, address, secret)
	return err
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
	proxy, err := fl.trusted()
	if err != nil {
		listener.Close()
		return err
	}
	who := people{archive, r.ring()}
	cfg := r.webConfig(archive, who)
	cfg.Assets, cfg.Listen, cfg.Hosts = files, listener.Addr().String(), fl.hosts
	cfg.Intake, cfg.MaxUpload = newUploads(archive, int64(fl.maxUpload), r.env.Now), int64(fl.maxUpload)
	cfg.PublicRead, cfg.Proxy = fl.publicRead, proxy
	cfg.Log = slog.New(slog.NewTextHandler(r.env.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	server, err := web.New(cfg)
	if err != nil {
		listener.Close()
		return err
	}
	if !files.HasCharts() {
		fmt.Fprintln(r.env.Stderr, "assay: built without the chart library; charts show their tables (npm and \"make assets\" add it)")
	}
	if host, _, _ := net.SplitHostPort(fl.listen); !loopback(host) {
		fmt.Fprintln(r.env.Stderr, "assay: other machines reach this address and traffic is not encrypted; put a reverse proxy with TLS in front of it")
	}
	resumed := r.resumeBeside(ctx, archive, r.env.Stderr)
	defer r.recheckBeside(ctx, archive, r.env.Stderr)()
	if err := r.firstAdmin(ctx, who, listener.Addr().String()); err != nil {
		listener.Close()
		return err
	}
	fmt.Fprintf(r.env.Stdout, "serving %s at http://%s/ (stop with Ctrl-C)\n", what, listener.Addr())
	err = server.Serve(ctx, listener)
	<-resumed
	return err
}

// webConfig is a server over an archive and its people: everything but where it answers.
func (r *root) webConfig(archive *store.Archive, who people) web.Config {
	desk := r.desk(archive)
	return web.Config{
		Archive: archive, Intake: newUploads(archive, int64(defaultMaxUpload), r.env.Now), Tokens: archive, Repairs: archive, Waivers: archive,
		SignOffs: desk, Decisions: desk, PersonKeys: who, Vault: archive, TransparencyLog: archive, Policies: archive, Accounts: who,
		Version: moduleVersion(), Readers: readerRefs(), Now: r.env.Now,
	}
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

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"assay/migrations"
)

// versionInfo is what a bug report needs.
type versionInfo struct {
	Version  string            `json:"version"`
	Revision string            `json:"revision"` // "" when the build did not record one
	Modified bool              `json:"modified"`
	Go       string            `json:"go"`
	Platform string            `json:"platform"`
	Schema   int64             `json:"schema"`
	Readers  []string          `json:"readers"`
	Modules  map[string]string `json:"modules"`
}

func (r *root) versionCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version, the schema, the readers and the modules it is built from",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			v := version()
			if asJSON {
				enc := json.NewEncoder(r.env.Stdout)
				enc.SetIndent("", "  ")
				return enc.Encode(v)
			}
			return v.print(r.env.Stdout)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func moduleVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// schemaVersion is the schema that this build brings an archive to.
func schemaVersion() int64 {
	all, err := migrations.List(migrations.FS)
	if err != nil {
		return 0 // the archive refuses to open then and says why
	}
	return all[len(all)-1].Version
}

func version() versionInfo {
	v := versionInfo{
		Version: moduleVersion(), Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Schema: schemaVersion(), Readers: readerRefs(), Modules: map[string]string{},
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Revision = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	for _, m := range info.Deps {
		v.Modules[m.Path] = m.Version
	}
	return v
}

// shownModules are the ones that decide what is stored, read and served.
var shownModules = []string{
	"modernc.org/sqlite", "modernc.org/libc", "github.com/klauspost/compress", "github.com/pressly/goose/v3",
	"github.com/labstack/echo/v4", "github.com/a-h/templ", "github.com/go-echarts/go-echarts/v2", "github.com/spf13/cobra",
}

func (v versionInfo) print(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "assay %s", v.Version)
	if v.Revision != "" {
		fmt.Fprintf(&b, " %s", v.Revision)
		if v.Modified {
			b.WriteString(" with changes")
		}
	}
	fmt.Fprintf(&b, "\n%s %s\nschema %d\nreaders %s\n", v.Go, v.Platform, v.Schema, strings.Join(v.Readers, " "))
	for _, m := range shownModules {
		if version, ok := v.Modules[m]; ok {
			fmt.Fprintf(&b, "module %s %s\n", m, version)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

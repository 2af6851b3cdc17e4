// Package web serves the archive to people and scripts: echo for routing, templ for
// pages, nothing inline in the markup and nothing computed in the browser.
//
// The journey of a request through the package:
//
//  1. [New] takes a [Config] with the archive as the small interfaces declared here,
//     and wires the routes ([Server.Handler] for tests, [Server.Serve] for a listener
//     with graceful shutdown).
//  2. The middleware names the request, sets the security headers, refuses a Host that
//     is not ours and a query that cannot be read, bounds body and time, turns a panic
//     into an error.
//  3. A handler (one file per action) reads its parameters, asks the archive inside
//     one read snapshot, and gives evidence types to a builder of package view.
//  4. The builder is pure: it orders, formats and links, and returns one view struct.
//  5. A template of package page writes it into a buffer; status, validators and body
//     go out once it is whole. CSV, JSON and Markdown of a page come from the same
//     view struct, or from package export where the table is one of the archive's lists.
//  6. What writes asks first who may (uploadaccess.go): files come in with a token or
//     from our own pages on the machine itself, repairs only from there. Files stream
//     through small interfaces to the intake ([Intake]) and are never in memory whole;
//     a repair is filed with its author and reason ([RepairArchive]).
//  7. An error goes through one handler, which alone turns error codes into statuses
//     and never shows what is behind an internal error.
//
// For example GET /campaigns/2026-09-04-qwen38-27b-pro6000-possibility asks for the
// campaign and its runs, view.BuildCampaign groups the runs into tables of equal
// workload, and page.Campaign writes every figure as a link like
//
//	/artifact/f881e5ac…?p=%2Fheadline_results%2F0%2Faggregate_tok_s
//
// echo.Context never leaves this package.
package web

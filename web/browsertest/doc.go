// Package browsertest drives the real server with a real browser: nothing else sees
// what the content security policy refuses, what overflows a narrow screen, or
// whether a drawing has drawn anything.
//
// The journey of a test:
//
//  1. An archive in a temporary folder takes in the example evidence and hostile
//     files, and the server answers on a loopback port.
//  2. A crawl over HTTP follows every link and keeps a few addresses of each kind of
//     page, so that a new page is tested without a line here.
//  3. A headless Chromium visits them in light and dark, wide and narrow, and reports
//     policy violations, console errors and dialogs; all must be none.
//  4. A number is followed to its source, and its mark must be in view.
//
// Without a Chromium the tests are skipped; ASSAY_REQUIRE_BROWSER=1 makes that a failure.
package browsertest

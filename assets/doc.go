// Package assets holds the files that pages load: one style sheet per area, two small
// scripts of ours and the chart library.
//
//  1. build.sh fetches the chart library by the lock file into dist/. A binary built
//     without it serves every page; charts then leave their tables and say so
//     ([Set.HasCharts]).
//  2. [New] hashes and compresses every file once.
//  3. [Set.URL] gives a file an address that holds its hash, /assets/HASH/NAME, so
//     that a browser may keep it for good: other content has another address.
//
// For example URL("app.js") is "/assets/3f2a9c01d4e5/app.js".
package assets

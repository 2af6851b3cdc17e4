// Package measure carries out one session: one arm under one workload, against an endpoint
// that already serves, and writes an artifact for every step and repeat.
//
// The journey of a session:
//
//  1. The endpoint is asked who it is (package engine), the cards through the driver (gpu),
//     the machine through its kernel (host). What nobody could be asked is absent, with
//     the reason.
//  2. The client is calibrated against a null server on this machine, so that the figures
//     carry what the client could have measured.
//  3. The functional suite (preflight) runs; its outcomes are gates in every artifact.
//  4. For each step prompts are made and counted by the endpoint's own usage (prompt).
//  5. For each repeat the plan is carried out (load); cards, engine counters and host are
//     sampled meanwhile. The window of measured requests is what all of them are cut to.
//  6. Records become rows, rows become figures, facts are completed from what was
//     observed, and the document is held against the format's rules, encoded, written
//     under a temporary name, synced and renamed. Its raw samples lie beside it.
//
// A session that is stopped writes what it has, as aborted, with the reason. A repeat in
// which requests failed is measured: the failures are its finding. One in which none
// completed has failed, and one in which no request found anybody there ends the session.
package measure

//go:build !unix

package load

import "assay/store/evidence"

func processTimes() (user, system evidence.Opt[float64]) { return user, system }

func socketLimit() evidence.Opt[int64] { return evidence.None[int64]() }

//go:build !cgo || !linux || nonvml

package gpu

// Open says that this build cannot ask the driver.
func Open(string) (Driver, error) {
	return nil, &Unavailable{Reason: "this build has no cgo, which the driver's library needs"}
}

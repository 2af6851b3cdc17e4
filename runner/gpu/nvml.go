//go:build cgo && linux && !nonvml

package gpu

import (
	"fmt"
	"strconv"

	"github.com/NVIDIA/go-nvml/pkg/nvml"

	"assay/store/evidence"
)

// driver is the driver's library.
type driver struct {
	lib    nvml.Interface
	has    map[string]bool
	cards  []nvml.Device
	system System
}

// Open loads the driver's library: the system's, or the file that path names.
func Open(path string) (Driver, error) {
	var opts []nvml.LibraryOption
	if path != "" {
		opts = append(opts, nvml.WithLibraryPath(path))
	}
	d := &driver{lib: nvml.New(opts...), has: map[string]bool{}}
	switch ret := d.lib.Init(); ret {
	case nvml.SUCCESS:
	case nvml.ERROR_LIBRARY_NOT_FOUND:
		return nil, &Unavailable{Reason: "no NVML library on this machine"}
	case nvml.ERROR_DRIVER_NOT_LOADED:
		return nil, &Unavailable{Reason: "the NVIDIA driver is not loaded"}
	case nvml.ERROR_LIB_RM_VERSION_MISMATCH:
		return nil, &Unavailable{Reason: "the library and the loaded driver are of different versions: restart the machine"}
	default:
		return nil, &Unavailable{Reason: fmt.Sprintf("the driver does not start (NVML code %d)", ret)}
	}
	if err := d.start(); err != nil {
		_ = d.Close()
		return nil, err
	}
	return d, nil
}

func (d *driver) start() error {
	for _, need := range []string{"nvmlDeviceGetCount_v2", "nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetUUID", "nvmlDeviceGetName"} {
		if !d.can(need) {
			return &Unavailable{Reason: "the library lacks " + need + ": the driver is too old"}
		}
	}
	if d.can("nvmlSystemGetDriverVersion") {
		d.system.Driver, _ = d.lib.SystemGetDriverVersion()
	}
	if d.can("nvmlSystemGetNVMLVersion") {
		d.system.NVML, _ = d.lib.SystemGetNVMLVersion()
	}
	if d.can("nvmlSystemGetCudaDriverVersion_v2") {
		if v, ret := d.lib.SystemGetCudaDriverVersion_v2(); ret == nvml.SUCCESS {
			d.system.CUDA = fmt.Sprintf("%d.%d", v/1000, v%1000/10)
		}
	}
	n, ret := d.lib.DeviceGetCount()
	if ret != nvml.SUCCESS {
		return &Unavailable{Reason: "the driver does not count its cards: " + d.word(ret)}
	}
	for i := range n {
		c, ret := d.lib.DeviceGetHandleByIndex(i)
		if ret != nvml.SUCCESS {
			return fmt.Errorf("card %d: %s", i, d.word(ret))
		}
		d.cards = append(d.cards, c)
	}
	return nil
}

// can reports whether the library has a function. Calling one that it lacks would end
// the process.
func (d *driver) can(symbol string) bool {
	ok, asked := d.has[symbol]
	if !asked {
		ok = d.lib.Extensions().LookupSymbol(symbol) == nil
		d.has[symbol] = ok
	}
	return ok
}

const lacking = "the driver's library lacks this function"

// word is the driver's own word for a code.
func (d *driver) word(ret nvml.Return) string {
	if d.can("nvmlErrorString") {
		return d.lib.ErrorString(ret)
	}
	return "NVML code " + strconv.Itoa(int(ret))
}

func (d *driver) System() System { return d.system }

// Close unloads the library.
func (d *driver) Close() error {
	if !d.can("nvmlShutdown") {
		return nil
	}
	if ret := d.lib.Shutdown(); ret != nvml.SUCCESS {
		return fmt.Errorf("close NVML: %s", d.word(ret))
	}
	return nil
}

// asking collects what one card answers.
type asking struct {
	d    *driver
	card nvml.Device
	not  map[string]string
	lost string
}

// ask calls f when the library has the function and the card is there. It reports
// whether there was an answer.
func (a *asking) ask(what, symbol string, f func() nvml.Return) bool {
	if a.lost != "" {
		return false
	}
	if !a.d.can(symbol) {
		a.note(what, lacking)
		return false
	}
	ret := f()
	switch ret {
	case nvml.SUCCESS:
		return true
	case nvml.ERROR_GPU_IS_LOST, nvml.ERROR_RESET_REQUIRED:
		a.lost = a.d.word(ret)
	}
	a.note(what, a.d.word(ret))
	return false
}

func (a *asking) note(what, why string) {
	if a.not != nil {
		a.not[what] = why
	}
}

// number asks for a whole number and scales it.
func number[T int | uint32 | uint64 | float64](a *asking, what, symbol string, f func() (T, nvml.Return)) evidence.Opt[float64] {
	var v T
	if !a.ask(what, symbol, func() (ret nvml.Return) { v, ret = f(); return ret }) {
		return evidence.None[float64]()
	}
	return evidence.Some(float64(v))
}

func scaled(v evidence.Opt[float64], by float64) evidence.Opt[float64] {
	v.V *= by
	return v
}

func whole(v evidence.Opt[float64]) evidence.Opt[int64] {
	return evidence.Opt[int64]{V: int64(v.V), OK: v.OK}
}

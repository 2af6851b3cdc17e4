//go:build cgo && linux && !nonvml

package gpu

import (
	"fmt"
	"strings"

	"github.com/NVIDIA/go-nvml/pkg/nvml"

	"assay/store/evidence"
)

var architectures = map[nvml.DeviceArchitecture]string{
	nvml.DEVICE_ARCH_KEPLER: "Kepler", nvml.DEVICE_ARCH_MAXWELL: "Maxwell", nvml.DEVICE_ARCH_PASCAL: "Pascal", nvml.DEVICE_ARCH_VOLTA: "Volta",
	nvml.DEVICE_ARCH_TURING: "Turing", nvml.DEVICE_ARCH_AMPERE: "Ampere", nvml.DEVICE_ARCH_ADA: "Ada", nvml.DEVICE_ARCH_HOPPER: "Hopper",
	nvml.DEVICE_ARCH_BLACKWELL: "Blackwell", nvml.DEVICE_ARCH_RUBIN: "Rubin",
}

// Cards identifies every card.
func (d *driver) Cards() ([]Card, error) {
	out := make([]Card, len(d.cards))
	for i := range d.cards {
		a := &asking{d: d, card: d.cards[i], not: map[string]string{}}
		out[i] = a.identify(i)
		if a.lost != "" {
			return nil, fmt.Errorf("card %d: %s", i, a.lost)
		}
		if out[i].UUID == "" {
			return nil, fmt.Errorf("card %d does not say its UUID: %s", i, a.not["uuid"])
		}
	}
	return out, nil
}

func (a *asking) identify(index int) Card {
	c := Card{Index: index, Unsupported: a.not}
	a.ask("uuid", "nvmlDeviceGetUUID", func() (ret nvml.Return) { c.UUID, ret = a.card.GetUUID(); return ret })
	a.ask("name", "nvmlDeviceGetName", func() (ret nvml.Return) { c.Name, ret = a.card.GetName(); return ret })
	var arch nvml.DeviceArchitecture
	if a.ask("architecture", "nvmlDeviceGetArchitecture", func() (ret nvml.Return) { arch, ret = a.card.GetArchitecture(); return ret }) {
		if c.Architecture = architectures[arch]; c.Architecture == "" {
			c.Architecture = fmt.Sprintf("architecture %d", arch)
		}
	}
	a.ask("compute capability", "nvmlDeviceGetCudaComputeCapability", func() nvml.Return {
		major, minor, ret := a.card.GetCudaComputeCapability()
		c.Capability = fmt.Sprintf("%d.%d", major, minor)
		return ret
	})
	a.ask("bus", "nvmlDeviceGetPciInfo_v3", func() nvml.Return {
		p, ret := a.card.GetPciInfo()
		c.Bus = text(p.BusId[:])
		return ret
	})
	c.Memory, _, _ = a.memory()
	c.PCIeGen = whole(number(a, "PCIe generation", "nvmlDeviceGetCurrPcieLinkGeneration", a.card.GetCurrPcieLinkGeneration))
	c.PCIeWidth = whole(number(a, "PCIe width", "nvmlDeviceGetCurrPcieLinkWidth", a.card.GetCurrPcieLinkWidth))
	c.PowerLimit = scaled(number(a, "power limit", "nvmlDeviceGetEnforcedPowerLimit", a.card.GetEnforcedPowerLimit), 1e-3)
	a.ask("MIG", "nvmlDeviceGetMigMode", func() nvml.Return {
		now, _, ret := a.card.GetMigMode()
		c.MIG = evidence.Opt[bool]{V: now == nvml.DEVICE_MIG_ENABLE, OK: ret == nvml.SUCCESS}
		return ret
	})
	a.ask("ECC", "nvmlDeviceGetEccMode", func() nvml.Return {
		now, _, ret := a.card.GetEccMode()
		c.ECC = evidence.Opt[bool]{V: now == nvml.FEATURE_ENABLED, OK: ret == nvml.SUCCESS}
		return ret
	})
	c.NVLinks = a.links()
	return c
}

func text(b []int8) string {
	var s strings.Builder
	for _, c := range b {
		if c == 0 {
			break
		}
		s.WriteByte(byte(c))
	}
	return s.String()
}

// links counts active NVLinks; a card without any says so at the first.
func (a *asking) links() evidence.Opt[int64] {
	var active int64
	for i := range nvml.NVLINK_MAX_LINKS {
		var state nvml.EnableState
		if !a.ask("NVLink", "nvmlDeviceGetNvLinkState", func() (ret nvml.Return) { state, ret = a.card.GetNvLinkState(i); return ret }) {
			return evidence.Opt[int64]{V: active, OK: i > 0}
		}
		if state == nvml.FEATURE_ENABLED {
			active++
		}
	}
	return evidence.Some(active)
}

// memory asks the newer function first: the older counts what the driver reserves as
// used.
func (a *asking) memory() (total, used, free evidence.Opt[int64]) {
	var t, u, f uint64
	ok := a.d.can("nvmlDeviceGetMemoryInfo_v2") && a.ask("memory", "nvmlDeviceGetMemoryInfo_v2", func() nvml.Return {
		m, ret := a.card.GetMemoryInfo_v2()
		t, u, f = m.Total, m.Used, m.Free
		return ret
	})
	if !ok {
		ok = a.ask("memory", "nvmlDeviceGetMemoryInfo", func() nvml.Return {
			m, ret := a.card.GetMemoryInfo()
			t, u, f = m.Total, m.Used, m.Free
			return ret
		})
	}
	some := func(v uint64) evidence.Opt[int64] { return evidence.Opt[int64]{V: int64(v), OK: ok} }
	return some(t), some(u), some(f)
}

// Read looks at a card once.
func (d *driver) Read(card int) Reading {
	a := &asking{d: d, card: d.cards[card]}
	var r Reading
	r.Power = scaled(number(a, "power", "nvmlDeviceGetPowerUsage", a.card.GetPowerUsage), 1e-3)
	r.Counter = scaled(number(a, "energy", "nvmlDeviceGetTotalEnergyConsumption", a.card.GetTotalEnergyConsumption), 1e-3)
	clock := func(t nvml.ClockType) func() (uint32, nvml.Return) {
		return func() (uint32, nvml.Return) { return a.card.GetClockInfo(t) }
	}
	r.SMClock = scaled(number(a, "clock", "nvmlDeviceGetClockInfo", clock(nvml.CLOCK_SM)), 1e6)
	r.MemClock = scaled(number(a, "memory clock", "nvmlDeviceGetClockInfo", clock(nvml.CLOCK_MEM)), 1e6)
	r.Temperature = number(a, "temperature", "nvmlDeviceGetTemperature", func() (uint32, nvml.Return) {
		return a.card.GetTemperature(nvml.TEMPERATURE_GPU)
	})
	a.ask("utilisation", "nvmlDeviceGetUtilizationRates", func() nvml.Return {
		u, ret := a.card.GetUtilizationRates()
		r.Utilisation = evidence.Opt[float64]{V: float64(u.Gpu) / 100, OK: ret == nvml.SUCCESS}
		return ret
	})
	_, r.MemoryUsed, r.MemoryFree = a.memory()
	r.Reasons = a.reasons()
	r.Lost = a.lost
	return r
}

// reasons has two names: drivers before 535 know the older one only.
func (a *asking) reasons() evidence.Opt[uint64] {
	var bits uint64
	ok := a.d.can("nvmlDeviceGetCurrentClocksEventReasons") && a.ask("reasons", "nvmlDeviceGetCurrentClocksEventReasons", func() (ret nvml.Return) {
		bits, ret = a.card.GetCurrentClocksEventReasons()
		return ret
	})
	if !ok {
		ok = a.ask("reasons", "nvmlDeviceGetCurrentClocksThrottleReasons", func() (ret nvml.Return) {
			bits, ret = a.card.GetCurrentClocksThrottleReasons()
			return ret
		})
	}
	return evidence.Opt[uint64]{V: bits, OK: ok}
}

// Processes lists who computes on a card.
func (d *driver) Processes(card int) ([]Process, error) {
	a := &asking{d: d, card: d.cards[card], not: map[string]string{}}
	symbol := "nvmlDeviceGetComputeRunningProcesses_v3"
	for _, older := range []string{"_v2", ""} {
		if !d.can(symbol) {
			symbol = "nvmlDeviceGetComputeRunningProcesses" + older
		}
	}
	var list []nvml.ProcessInfo
	if !a.ask("processes", symbol, func() (ret nvml.Return) { list, ret = a.card.GetComputeRunningProcesses(); return ret }) {
		return nil, fmt.Errorf("processes on card %d: %s", card, a.not["processes"])
	}
	out := make([]Process, len(list))
	for i, p := range list {
		out[i] = Process{PID: int(p.Pid), Memory: evidence.Opt[int64]{V: int64(p.UsedGpuMemory), OK: p.UsedGpuMemory != nvmlNotAvailable}}
	}
	return out, nil
}

const nvmlNotAvailable = ^uint64(0)

var ancestors = map[nvml.GpuTopologyLevel]string{
	nvml.TOPOLOGY_INTERNAL: "one board", nvml.TOPOLOGY_SINGLE: "one PCIe switch", nvml.TOPOLOGY_MULTIPLE: "several PCIe switches",
	nvml.TOPOLOGY_HOSTBRIDGE: "host bridge", nvml.TOPOLOGY_NODE: "NUMA node", nvml.TOPOLOGY_SYSTEM: "between NUMA nodes",
}

var peers = map[nvml.GpuP2PStatus]string{
	nvml.P2P_STATUS_OK: "ok", nvml.P2P_STATUS_CHIPSET_NOT_SUPPORTED: "chipset not supported", nvml.P2P_STATUS_GPU_NOT_SUPPORTED: "card not supported",
	nvml.P2P_STATUS_IOH_TOPOLOGY_NOT_SUPPORTED: "topology not supported", nvml.P2P_STATUS_DISABLED_BY_REGKEY: "disabled", nvml.P2P_STATUS_NOT_SUPPORTED: "not supported",
}

// Links says how every two cards reach each other.
func (d *driver) Links() ([]Link, error) {
	var out []Link
	for i := range d.cards {
		for j := i + 1; j < len(d.cards); j++ {
			a := &asking{d: d, card: d.cards[i], not: map[string]string{}}
			l := Link{From: i, To: j}
			var level nvml.GpuTopologyLevel
			if a.ask("topology", "nvmlDeviceGetTopologyCommonAncestor", func() (ret nvml.Return) {
				level, ret = a.card.GetTopologyCommonAncestor(d.cards[j])
				return ret
			}) {
				l.Common = ancestors[level]
			}
			var status nvml.GpuP2PStatus
			if a.ask("P2P", "nvmlDeviceGetP2PStatus", func() (ret nvml.Return) {
				status, ret = a.card.GetP2PStatus(d.cards[j], nvml.P2P_CAPS_INDEX_READ)
				return ret
			}) {
				if l.P2P = peers[status]; l.P2P == "" {
					l.P2P = fmt.Sprintf("status %d", status)
				}
			}
			if a.lost != "" {
				return out, fmt.Errorf("cards %d and %d: %s", i, j, a.lost)
			}
			out = append(out, l)
		}
	}
	return out, nil
}

package artifact

// Client is what measured, and how well it could.
type Client struct {
	Name        string       `json:"name"`
	Version     string       `json:"version"`
	Go          string       `json:"go"`
	Connections string       `json:"connections"` // "new for each request", "kept alive"
	Health      Health       `json:"health"`
	Calibration *Calibration `json:"calibration"`
}

// Spread is a distribution in a few numbers; null values where nothing was observed.
type Spread struct {
	N   int64    `json:"n"`
	P50 *float64 `json:"p50"`
	P99 *float64 `json:"p99"`
	Max *float64 `json:"max"`
}

// Health certifies that the client was no part of what it measured.
type Health struct {
	Drops        int64    `json:"drops"`
	OfferedRate  *float64 `json:"offered_per_second"`
	AchievedRate *float64 `json:"achieved_per_second"`
	SendLag      Spread   `json:"send_lag_seconds"`
	CPU          *float64 `json:"cpu_cores"` // cores used on average over the window
	CPUs         int      `json:"cpu_count"`
	GCPauses     Spread   `json:"gc_pause_seconds"`
	Scheduler    Spread   `json:"scheduler_latency_seconds"`
	Saturated    bool     `json:"saturated"`
	Reasons      []string `json:"reasons"`
}

// Calibration is what this client can do against a server that does nothing, on the same
// machine before the run.
type Calibration struct {
	At            string   `json:"at"`
	RequestRate   *float64 `json:"requests_per_second"`
	Streams       *int64   `json:"open_streams"`
	ChunkRate     *float64 `json:"chunks_per_second"`
	TimingError   Spread   `json:"timing_error_seconds"`
	CalibratedFor float64  `json:"duration_seconds"`
}

// Engine is what the engine says of itself.
type Engine struct {
	Name    string             `json:"name"`
	Version string             `json:"version"`
	Args    []string           `json:"arguments"`
	Models  []string           `json:"served_models"`
	Before  map[string]float64 `json:"metrics_before"`
	After   map[string]float64 `json:"metrics_after"`
	Peaks   map[string]float64 `json:"metrics_peak"`
	Log     []string           `json:"log_lines"`
}

// Telemetry is what the cards said during the run.
type Telemetry struct {
	Available  bool     `json:"available"`
	Why        string   `json:"why_not"`
	Driver     string   `json:"driver"`
	PeriodNS   int64    `json:"period_ns"`
	Gaps       Spread   `json:"gap_seconds"`
	Cards      []Card   `json:"cards"`
	Links      []Link   `json:"links"`
	SamplerCPU *float64 `json:"sampler_cpu_cores"`
}

// Card is one card. A field that it does not support is null.
type Card struct {
	UUID         string   `json:"uuid"`
	Index        int      `json:"index"`
	Name         string   `json:"name"`
	Architecture string   `json:"architecture"`
	Capability   string   `json:"compute_capability"`
	Memory       *int64   `json:"memory_bytes"`
	PCIeGen      *int64   `json:"pcie_generation"`
	PCIeWidth    *int64   `json:"pcie_width"`
	PowerLimit   *float64 `json:"power_limit_watts"`
	Measured     bool     `json:"measured"` // it executed the arm; others are only present
	Lost         string   `json:"lost"`     // why it stopped answering, "" when it did not

	EnergyJoules  *float64 `json:"energy_joules"`         // integral of power over "measure"
	CounterJoules *float64 `json:"energy_counter_joules"` // the card's own counter
	Throttled     []string `json:"throttle_reasons"`      // inside the window
	Processes     []string `json:"other_processes"`       // names of what else ran there
	MemoryFree    *int64   `json:"memory_free_min_bytes"`
	MemoryUsed    *int64   `json:"memory_used_max_bytes"`
	Series        Series   `json:"series"`
}

// Series are downsampled; the raw samples are in a sidecar. All lists have one length;
// null where a sample is missing.
type Series struct {
	At          []int64    `json:"at_ns"`
	Power       []*float64 `json:"power_watts"`
	Clock       []*float64 `json:"sm_clock_hertz"`
	Temperature []*float64 `json:"temperature_celsius"`
	Utilisation []*float64 `json:"utilisation_ratio"`
	MemoryUsed  []*int64   `json:"memory_used_bytes"`
}

// Link is how two cards are connected.
type Link struct {
	From string `json:"from"`
	To   string `json:"to"`
	Kind string `json:"kind"`
	P2P  string `json:"p2p"`
}

// Host is the machine.
type Host struct {
	Kernel      string   `json:"kernel"`
	OS          string   `json:"os"`
	Environment string   `json:"environment"` // "native", "wsl2", "container"
	CPU         string   `json:"cpu"`
	CPUs        int      `json:"cpu_count"`
	Memory      *int64   `json:"memory_bytes"`
	MemoryFree  *int64   `json:"memory_available_min_bytes"`
	Pressure    *float64 `json:"memory_pressure_some_ratio"`
	Load        *float64 `json:"load_average_1m"`
	OtherLoad   string   `json:"other_load"` // what else used the machine, in words; "" for nothing seen
}

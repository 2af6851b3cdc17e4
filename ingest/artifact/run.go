package artifact

// Label is the schema label, byte for byte.
const Label = "assay.run/v1"

// Protocol names how the figures of this format are defined and measured.
const Protocol = "assay-run-v1"

// Status says how a run ended.
type Status string

// Statuses. A run that did not end well keeps what it has.
const (
	Measured Status = "measured"
	Failed   Status = "failed"
	Aborted  Status = "aborted" // a person or a limit stopped it
)

// Run is one document.
type Run struct {
	Schema   string `json:"schema"`
	Campaign string `json:"campaign_id"`
	Title    string `json:"title"`
	Arm      string `json:"arm"`
	Name     string `json:"run"`
	Repeat   int    `json:"repeat"`  // from 1
	Repeats  int    `json:"repeats"` // planned
	Status   Status `json:"status"`
	Why      string `json:"status_reason"`
	Started  string `json:"started"` // RFC 3339, UTC
	Finished string `json:"finished"`

	Facts    Facts      `json:"facts"`
	Workload Workload   `json:"workload"`
	Windows  []Window   `json:"windows"`
	Requests []Request  `json:"requests"`
	Summary  []Figure   `json:"summary"`
	Gates    []Gate     `json:"gates"`
	Limits   []string   `json:"limitations"`
	Failures []string   `json:"failures"`
	Client   Client     `json:"client"`
	Engine   *Engine    `json:"engine"`
	Cards    *Telemetry `json:"telemetry"`
	Host     *Host      `json:"host"`
	Sidecars []Sidecar  `json:"sidecars"`
	Command  []string   `json:"command"` // the effective configuration, secrets left out
}

// Workload is what was asked of the endpoint.
type Workload struct {
	Name        string   `json:"name"` // a preset, or the name in the workload file
	Endpoint    string   `json:"endpoint"`
	API         string   `json:"api"`  // "chat", "completions", "responses"
	Loop        string   `json:"loop"` // "closed" or "open"
	Arrivals    string   `json:"arrivals"`
	Rate        *float64 `json:"rate_per_second"`
	Concurrency *int64   `json:"concurrency"`
	Seed        int64    `json:"seed"`
	Prompts     string   `json:"prompts_sha256"` // of all prompts in order
	Targets     []int64  `json:"prompt_token_targets"`
	Tolerance   float64  `json:"prompt_token_tolerance"`
	Sampling    Sampling `json:"sampling"`
}

// Sampling are the parameters that every request carried.
type Sampling struct {
	Temperature *float64 `json:"temperature"`
	TopP        *float64 `json:"top_p"`
	Seed        *int64   `json:"seed"`
	MaxTokens   int64    `json:"max_tokens"`
	MinTokens   *int64   `json:"min_tokens"`
	IgnoreEOS   *bool    `json:"ignore_eos"`
	Thinking    *bool    `json:"thinking"`
	Effort      string   `json:"thinking_effort"`
}

// Window is a stretch of the run.
type Window struct {
	Name  string `json:"name"` // "warm-up", "ramp", "measure", "drain"
	Start int64  `json:"start_ns"`
	End   int64  `json:"end_ns"`
}

// Request is one request. Times are nanoseconds after the start of the run; null where
// the event did not happen.
type Request struct {
	Index     int64  `json:"index"`
	Window    string `json:"window"`
	Due       int64  `json:"due_ns"`
	Sent      *int64 `json:"sent_ns"`
	Headers   *int64 `json:"headers_ns"`
	Chunk     *int64 `json:"first_chunk_ns"`
	Reasoning *int64 `json:"first_reasoning_ns"`
	Visible   *int64 `json:"first_visible_ns"`
	LastToken *int64 `json:"last_token_ns"`
	End       *int64 `json:"end_ns"`

	// Chunks are the times of all chunks that carried output. Tokens has one count for each
	// where the engine says it, else it is null: chunks are never counted as tokens.
	Chunks []int64 `json:"chunk_ns"`
	Tokens []int64 `json:"chunk_tokens"`

	PromptTokens    *int64 `json:"prompt_tokens"`
	OutputTokens    *int64 `json:"output_tokens"`
	CachedTokens    *int64 `json:"cached_tokens"`
	ReasoningTokens *int64 `json:"reasoning_tokens"`
	TokensFrom      string `json:"tokens_from"` // "usage", "token-ids", "none"

	HTTPStatus int    `json:"http_status"` // 0 without an answer
	Finish     string `json:"finish_reason"`
	Error      string `json:"error"` // class, "" for none
	Detail     string `json:"error_detail"`
	Canary     string `json:"canary"` // "found", "missing", "foreign", "not-asked"
	Model      string `json:"model_echo"`
	NewConn    bool   `json:"new_connection"`
	Retries    int    `json:"retries"`

	// What the engine itself says of the request, where it does.
	EnginePrompt  *float64 `json:"engine_prompt_seconds"`
	EnginePredict *float64 `json:"engine_predicted_seconds"`
}

// Figure is one summary, made of the requests of the window "measure" alone.
type Figure struct {
	Metric string   `json:"metric"`
	Stat   string   `json:"stat"`
	Method string   `json:"method"`
	Value  *float64 `json:"value"` // null where it is not defined
	Unit   string   `json:"unit"`
	N      int64    `json:"n"`
	Why    string   `json:"why_absent"`
}

// Gate is one functional check.
type Gate struct {
	Name   string `json:"name"`
	Status string `json:"status"` // "passed", "failed", "not run"
	Detail string `json:"detail"`
	Passed *int64 `json:"passed"`
	Tried  *int64 `json:"tried"`
}

// Sidecar is a file beside the document, named by its digest.
type Sidecar struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
	Size   int64  `json:"size"`
	Holds  string `json:"holds"`
}

package store

import "strings"

// table describes one derived table: how its rows are inserted, deleted and dumped.
type table struct {
	name    string
	parent  *table   // its rows are inserted first
	key     string   // the column that ties a row to its artifact
	order   string   // the rest of its primary key
	columns []string // in the order flatten emits them
}

// ordinalBits is how many bits of a derived id hold the ordinal inside the artifact.
const (
	ordinalBits = 24
	maxOrdinal  = 1<<ordinalBits - 1
)

// derivedID makes the id of row ordinal of an artifact.
func derivedID(artifactID int64, ordinal int) int64 {
	return artifactID<<ordinalBits | int64(ordinal)
}

var (
	documentTable = &table{name: "document", key: "id", columns: strings.Fields(`id artifact_id ordinal sha256
		campaign title observed campaign_pointer campaign_span_start campaign_span_end
		own_campaign own_pointer own_span_start own_span_end
		schema family reader reader_version shape root arms runs measurements`)}
	armTable = &table{name: "arm", key: "id", parent: documentTable, columns: strings.Fields(`id document_id name
		pointer span_start span_end rejected rejected_pointer rejected_span_start rejected_span_end`)}
	runTable = &table{name: "run", key: "id", parent: armTable, columns: strings.Fields(`id document_id arm_id name
		class status pointer span_start span_end`)}
	factTable = &table{name: "fact", key: "document_id", order: "ordinal", parent: documentTable, columns: strings.Fields(`document_id ordinal
		arm_id run_id key value state source_text rule pointer span_start span_end`)}
	measurementTable = &table{name: "measurement", key: "run_id", order: "ordinal", parent: runTable, columns: strings.Fields(`run_id ordinal
		metric stat method form value lower upper unit n state role source_text source_unit rule
		pointer span_start span_end also`)}
	sampleTable = &table{name: "sample", key: "run_id", order: "ordinal", parent: runTable, columns: strings.Fields(`run_id ordinal
		request_index start ttft ttfo generation e2e prompt_tokens output_tokens cached_tokens ok failure
		pointer span_start span_end`)}
	gateTable = &table{name: "gate", key: "document_id", order: "ordinal", parent: documentTable, columns: strings.Fields(`document_id ordinal
		name status source_status detail evidence pointer span_start span_end`)}
	noteTable = &table{name: "note", key: "document_id", order: "ordinal", parent: documentTable, columns: strings.Fields(`document_id ordinal
		kind key body pointer span_start span_end`)}
	decisionTable = &table{name: "decision", key: "document_id", order: "ordinal", parent: documentTable, columns: strings.Fields(`document_id ordinal
		kind key value pointer span_start span_end`)}
	referenceTable = &table{name: "reference", key: "document_id", order: "ordinal", parent: documentTable, columns: strings.Fields(`document_id ordinal
		name base sha256 kind pointer span_start span_end`)}
	notLiftedTable = &table{name: "not_lifted", key: "document_id", order: "ordinal", parent: documentTable, columns: strings.Fields(`document_id ordinal
		source_text reason pointer span_start span_end`)}
	findingTable = &table{name: "finding", key: "artifact_id", order: "ordinal", columns: strings.Fields(`artifact_id ordinal document_id
		severity code pointer byte_offset message`)}
	holdsTable    = &table{name: "document_holds", key: "document_id", order: "kind, term", parent: documentTable, columns: strings.Fields(`document_id kind term`)}
	coverageTable = &table{name: "coverage", key: "document_id", order: "outcome", parent: documentTable, columns: strings.Fields(`document_id outcome numbers`)}
	endingTable   = &table{name: "text_ending", key: "artifact_id", order: "sha256", columns: strings.Fields(`artifact_id sha256`)}
	searchTable   = &table{name: "search_row", key: "id", columns: strings.Fields(`id document_id run_id kind title body pointer`)}
)

// derivedTables in the order they are dumped and filled; they are emptied backwards.
var derivedTables = []*table{
	documentTable, armTable, runTable, factTable, measurementTable, sampleTable, gateTable, noteTable,
	decisionTable, referenceTable, notLiftedTable, findingTable, holdsTable, coverageTable, endingTable, searchTable,
}

// span is the range of key values that belong to an artifact.
func (t *table) span(artifactID int64) (lo, hi int64) {
	if t.key == "artifact_id" {
		return artifactID, artifactID
	}
	return artifactID << ordinalBits, artifactID<<ordinalBits | maxOrdinal
}

// insertSQL inserts n rows at once.
func (t *table) insertSQL(n int) string {
	row := "(?" + strings.Repeat(", ?", len(t.columns)-1) + ")"
	return "INSERT INTO " + t.name + " (" + strings.Join(t.columns, ", ") + ") VALUES " +
		row + strings.Repeat(", "+row, n-1)
}

// readingColumns are what is derived of the table reading.
var readingColumns = strings.Fields(`state schema family reader encoding json_values campaign
	documents arms runs samples measurements facts findings`)

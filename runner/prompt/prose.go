package prompt

// sentences of the archive. Slots stand close together: two texts have no long run in
// common. No hyphens between capitals or digits: that is the shape of codes.
var sentences = []string{
	"In {{month}} {{year}} the {{trade}} of the {{adj}} {{place}} {{verb}} {{2}} {{units}} of {{noun}} for {{first}} {{last}}.",
	"{{first}} {{last}}, a {{trade}} from the {{adj}} {{place}}, {{verb}} the {{noun}} and {{verb}} a {{adj}} {{noun}}.",
	"The {{adj}} {{noun}} near the {{place}} was {{verb}} by {{first}} {{last}} on {{day}}, {{1}} {{month}} {{year}}.",
	"Entry {{3}} names {{2}} {{units}} of {{noun}}, {{verb}} at the {{place}} in {{year}}.",
	"A {{trade}} who {{verb}} the {{noun}} in {{month}} later {{verb}} it to the {{trade}} {{last}}.",
	"On {{day}} the {{place}} {{verb}} a {{adj}} {{noun}} with {{1}} {{noun}} marks and a {{adj}} {{noun}}.",
	"{{first}} wrote that the {{noun}} was {{adj}}, the {{noun}} {{adj}}, and the {{place}} {{adj}}.",
	"By {{year}} no {{trade}} in the {{place}} had {{verb}} more {{noun}} than {{first}} {{last}}.",
	"The {{trade}} paid {{3}} pounds for a {{noun}}, a {{adj}} {{noun}} and {{1}} {{units}} of {{noun}}.",
	"Page {{3}} of the {{adj}} {{noun}} book lists {{first}} {{last}} as {{trade}} and {{first}} as {{trade}}.",
	"When the {{place}} closed in {{month}}, its {{noun}} was {{verb}} and its {{noun}} {{verb}}.",
	"Under the {{adj}} {{noun}} the {{trade}} found {{2}} {{units}} of {{adj}} {{noun}}.",
	"Nobody {{verb}} the {{adj}} {{noun}} until {{first}} {{last}} {{verb}} the {{place}} in {{year}}.",
	"The {{noun}} from the {{place}} weighs {{3}} pounds, the {{noun}} only {{2}}.",
	"In the {{adj}} room of the {{place}} a {{noun}} hangs between a {{adj}} {{noun}} and a {{noun}}.",
	"{{last}} and {{last}} {{verb}} the {{place}} together and {{verb}} its {{adj}} {{noun}}.",
	"A letter of {{month}} {{year}} asks the {{trade}} why {{2}} {{units}} of {{noun}} were {{verb}}.",
	"The {{adj}} {{place}} kept {{1}} copies of the {{noun}} list; {{first}} {{last}} {{verb}} the {{adj}} one.",
	"Each {{trade}} of the {{place}} {{verb}} a {{noun}}, and the {{adj}} ones {{verb}} a {{noun}} too.",
	"It took {{2}} days to move the {{noun}} from the {{place}} to the {{adj}} {{place}}.",
	"{{first}} {{last}} was paid {{2}} shillings because the {{noun}} and the {{noun}} were {{adj}}.",
	"Between the {{place}} and the {{place}} the {{trade}} {{verb}} {{3}} {{units}} of {{noun}}.",
	"The record of {{year}} is {{adj}}: it counts {{2}} {{units}}, yet the {{trade}} {{verb}} {{3}}.",
	"After {{first}} left the {{place}}, {{first}} {{last}} {{verb}} the {{noun}} every {{day}}.",
	"A {{adj}} drawing shows the {{noun}}, the {{adj}} {{noun}} and the {{trade}} {{last}}.",
	"Number {{3}} is a {{noun}} of {{adj}} {{noun}}, {{2}} inches long, {{verb}} in {{month}}.",
	"To the {{trade}} of the {{place}} it seemed {{adj}} that {{last}} {{verb}} the {{noun}}.",
	"The {{noun}} was {{adj}} in {{month}}, {{adj}} in {{month}}, and {{verb}} by the {{trade}} at last.",
	"{{first}} {{last}} {{verb}} it for {{1}} {{units}} of {{noun}} and a {{adj}} {{noun}}.",
	"Only the {{adj}} {{noun}} of {{year}} still stands in the {{place}} that {{last}} {{verb}}.",
	"Those who {{verb}} the {{noun}} on {{day}} {{verb}} {{2}} {{units}} before {{month}}.",
	"Two of the {{units}} were {{adj}}, {{1}} were {{adj}}, and the {{trade}} {{verb}} the rest.",
}

var prose = patterns(sentences)

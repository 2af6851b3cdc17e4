package page

import (
	"strconv"

	"assay/web/view"
)

// span writes a column span; one column is said too.
func span(n int) string { return strconv.Itoa(max(n, 1)) }

// step is the style class of a shade step, "" for none.
func step(n int) string {
	if n < 1 || n > 5 {
		return ""
	}
	return "q" + strconv.Itoa(n)
}

func count(n int) string { return view.Int(int64(n)) }

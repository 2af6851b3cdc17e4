package view

import "strconv"

// Pager leads through a long list.
type Pager struct {
	Words      string // "51 to 100 of 1,234"
	Prev, Next string // "" at the ends
}

// BuildPager is the pager of a list; page counts from 1 and at makes the address of a
// page ("" for the first, so that it has one address).
func BuildPager(page, size, total int, at func(page string) string) Pager {
	lo := (max(page, 1) - 1) * size
	if total == 0 || lo >= total {
		p := Pager{Words: "0 of " + Int(int64(total))}
		if total > 0 {
			p.Prev = at("")
		}
		return p
	}
	hi := min(lo+size, total)
	p := Pager{Words: Int(int64(lo+1)) + " to " + Int(int64(hi)) + " of " + Int(int64(total))}
	if page > 1 {
		p.Prev = at(pageWord(page - 1))
	}
	if hi < total {
		p.Next = at(pageWord(page + 1))
	}
	return p
}

// OpenPager is the pager of a list that nobody counted to its end; shown is how many
// entries this page has, and more follow unless it has none.
func OpenPager(page, size, shown int, at func(page string) string) Pager {
	p := Pager{Words: "none here"}
	if page > 1 {
		p.Prev = at(pageWord(page - 1))
	}
	if shown > 0 {
		lo := (max(page, 1) - 1) * size
		p.Words = Int(int64(lo+1)) + " to " + Int(int64(lo+shown)) + ", and more"
		p.Next = at(pageWord(page + 1))
	}
	return p
}

// Needed reports whether there is more than one page.
func (p Pager) Needed() bool { return p.Prev != "" || p.Next != "" }

func pageWord(page int) string {
	if page <= 1 {
		return ""
	}
	return strconv.Itoa(page)
}

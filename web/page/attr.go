package page

import (
	"github.com/a-h/templ"

	"assay/web/view"
)

// themeAttr is the chosen theme on the root element; nothing when the system's holds.
func themeAttr(theme string) templ.Attributes {
	if theme == "" {
		return nil
	}
	return templ.Attributes{"data-theme": theme}
}

func pressedWord(pressed bool) string {
	if pressed {
		return "true"
	}
	return "false"
}

// ariaSort says that a list is ordered by a column; nothing where it is not.
func ariaSort(heads ...*view.SortHead) templ.Attributes {
	for _, h := range heads {
		if h != nil && h.Aria != "" {
			return templ.Attributes{"aria-sort": h.Aria}
		}
	}
	return nil
}

// invalid marks a field that is wrong.
func invalid(fault string) templ.Attributes {
	if fault == "" {
		return nil
	}
	return templ.Attributes{"aria-invalid": "true"}
}

// idOf is an id that links lead to; nothing where none does.
func idOf(id string) templ.Attributes {
	if id == "" {
		return nil
	}
	return templ.Attributes{"id": id}
}

// openIf opens a part that is closed otherwise.
func openIf(open bool) templ.Attributes {
	if !open {
		return nil
	}
	return templ.Attributes{"open": true}
}

// short is the beginning of a digest.
func short(digest string) string { return digest[:min(len(digest), 12)] }

func oneIf(yes bool) string {
	if yes {
		return "1"
	}
	return "0"
}

// invalidIf marks a field that is not filled in as it has to be.
func invalidIf(yes bool) templ.Attributes {
	if !yes {
		return nil
	}
	return templ.Attributes{"aria-invalid": "true"}
}

package page

import "github.com/a-h/templ"

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

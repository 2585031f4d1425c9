package theme

import (
	"image/color"

	"charm.land/lipgloss/v2"
)

// palette is the colours of one background. Foregrounds keep a contrast of at
// least 4.5 to it, and survive the reduction to 16 colours as the same hue.
type palette struct {
	muted, dim, border       color.Color
	accent, code             color.Color
	success, warning, danger color.Color
	addedBack, removedBack   color.Color
	selection, onSelection   color.Color
}

func paletteFor(dark bool) palette {
	c := lipgloss.Color
	if dark {
		return palette{
			muted: c("#aab2bd"), dim: c("#8a939f"), border: c("#6c7683"),
			accent: c("#6cb6ff"), code: c("#6fd3d3"),
			success: c("#6fd18b"), warning: c("#e8d05c"), danger: c("#ff7b7b"),
			addedBack: c("#123d22"), removedBack: c("#4a1a1d"),
			selection: c("#2b4263"), onSelection: c("#ffffff"),
		}
	}
	return palette{
		muted: c("#4d5661"), dim: c("#626b76"), border: c("#8b949e"),
		accent: c("#0a54b5"), code: c("#0b6470"),
		success: c("#12682f"), warning: c("#6b6000"), danger: c("#b3201a"),
		addedBack: c("#d3f3dc"), removedBack: c("#fddcd9"),
		selection: c("#cfe2ff"), onSelection: c("#0b1f3a"),
	}
}

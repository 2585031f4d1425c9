package rows

// Follow keeps the window at the end from now on, until it is scrolled up.
func (l *List) Follow() { l.tail = true }

// ScrollBy moves the window by lines, down if positive. Scrolling up lets go of
// the end; reaching it again by scrolling down does not take hold of it, since
// not every list wants that: see FollowAtBottom.
func (l *List) ScrollBy(lines int) {
	l.settle()
	if lines < 0 && !l.AtTop() {
		l.tail = false
	}
	for lines > 0 && l.top < l.src.Len() {
		rest := len(l.lines(l.top)) - l.off
		if lines < rest {
			l.off += lines
			break
		}
		if l.top == l.src.Len()-1 {
			break
		}
		lines -= rest
		l.top, l.off = l.top+1, 0
	}
	for lines < 0 {
		if -lines <= l.off {
			l.off += lines
			break
		}
		lines += l.off
		l.off = 0
		if l.top == 0 {
			break
		}
		l.top--
		l.off = len(l.lines(l.top))
	}
	l.settle()
}

// PageDown moves by a window, less one line that stays in sight.
func (l *List) PageDown() { l.ScrollBy(max(l.height-1, 1)) }

// PageUp is the reverse of PageDown.
func (l *List) PageUp() { l.ScrollBy(-max(l.height-1, 1)) }

// Top moves to the first line.
func (l *List) Top() { l.top, l.off, l.tail = 0, 0, false }

// Bottom moves to the last line without following it.
func (l *List) Bottom() {
	l.tail = false
	if l.src.Len() > 0 && l.width > 0 {
		l.placeEnd()
		return
	}
	l.top, l.off = l.src.Len(), 0
}

// FollowAtBottom takes hold of the end if the window is there. A transcript
// calls it after every scroll.
func (l *List) FollowAtBottom() {
	if l.AtBottom() {
		l.tail = true
	}
}

// AtTop says whether the first line is visible.
func (l *List) AtTop() bool {
	l.settle()
	if l.off > 0 {
		return false
	}
	for i := l.top - 1; i >= 0; i-- {
		if len(l.lines(i)) > 0 {
			return false
		}
	}
	return true
}

// AtBottom says whether the last line is visible.
func (l *List) AtBottom() bool {
	if l.tail {
		return true
	}
	l.settle()
	return l.below(l.height+1) <= l.height
}

// Position is the item the window starts in, and how many of its lines are above.
func (l *List) Position() (item, line int) {
	l.settle()
	return l.top, l.off
}

// ScrollTo starts the window at a line of an item, as far as the end allows.
func (l *List) ScrollTo(item, line int) {
	l.top, l.off, l.tail = item, line, false
}

// At maps a row of the window to the item and the line of it that are shown
// there; false for a row with nothing on it.
func (l *List) At(row int) (item, line int, ok bool) {
	if row < 0 || row >= l.height {
		return 0, 0, false
	}
	l.settle()
	row += l.off
	for i := l.top; i < l.src.Len(); i++ {
		n := len(l.lines(i))
		if row < n {
			return i, row, true
		}
		row -= n
		if row < 0 {
			break
		}
	}
	return 0, 0, false
}

// Visible gives the first and last item of which a line is shown; last is less
// than first when there is none.
func (l *List) Visible() (first, last int) {
	first, _, ok := l.At(0)
	if !ok {
		return 0, -1
	}
	last = first
	for row := l.height - 1; row >= 0; row-- {
		if i, _, ok := l.At(row); ok {
			return first, i
		}
	}
	return first, last
}

// Show moves the window as little as possible so that an item is in it; of an
// item taller than the window, its first lines.
func (l *List) Show(item int) {
	if item < 0 || item >= l.src.Len() || l.width <= 0 || l.height <= 0 {
		return
	}
	l.settle()
	if item < l.top || item == l.top && l.off > 0 {
		l.ScrollTo(item, 0)
		return
	}
	used := -l.off
	for i := l.top; i < item; i++ {
		used += len(l.lines(i))
		if used >= l.height {
			break
		}
	}
	if used+len(l.lines(item)) <= l.height {
		return
	}
	l.tail = false
	l.endAt(item)
}

// endAt puts the last line of an item at the bottom of the window, or its first
// line at the top if it is taller.
func (l *List) endAt(item int) {
	l.top, l.off = item, 0
	need := l.height - len(l.lines(item))
	for i := item - 1; i >= 0 && need > 0; i-- {
		have := len(l.lines(i))
		if have >= need {
			l.top, l.off = i, have-need
			return
		}
		need -= have
		l.top = i
	}
}

// Selected is the selected item, or -1.
func (l *List) Selected() int {
	if l.selected >= l.src.Len() {
		l.selected = l.src.Len() - 1
	}
	return l.selected
}

// Select selects an item and brings it into the window; -1 selects none.
func (l *List) Select(item int) {
	l.selected = min(max(item, -1), l.src.Len()-1)
	l.Show(l.selected)
}

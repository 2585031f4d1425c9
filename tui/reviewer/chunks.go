package reviewer

import (
	"sort"
	"strings"
)

// chunk is a run of lines that can be drawn knowing nothing of what is around
// it but the link definitions. Lines count from 0, end is not part of it.
type chunk struct {
	first, end int32
	kind       chunkKind
	table      int32 // index of the table it is a part of
}

type chunkKind uint8

const (
	chunkFlow  chunkKind = iota
	chunkLines           // drawn line by line: fences, front matter, what is too long
	chunkTable
	chunkFootnote
)

// A chunk is the unit of parsing, so its size bounds what one frame has to read.
// Where no block ends in time, a longer one is cut and what follows read anew.
const (
	maxChunkLines = 150
	maxChunkBytes = 32 << 10
	tableChunk    = 60
)

// gridArea is one table: its titles, the line of dashes, its rows up to end.
type gridArea struct {
	first, end int32
	widths     []int // natural widths of the columns, found when it is first drawn
}

// chunker cuts a document into chunks in one pass over its lines.
type chunker struct {
	lines  []string
	infos  []lineInfo
	chunks []chunk
	tables []gridArea
}

func chunksOf(lines []string, infos []lineInfo) ([]chunk, []gridArea) {
	c := &chunker{lines: lines, infos: infos}
	for i := 0; i < len(lines); {
		switch {
		case c.tableAt(i):
			i = c.table(i)
		case c.lineByLine(i):
			i = c.take(i, chunkLines, func(k int) bool { return !c.lineByLine(k) })
		default:
			kind := chunkFlow
			if infos[i].kind == kindFootnote {
				kind = chunkFootnote
			}
			i = c.take(i, kind, c.begins)
		}
	}
	return c.chunks, c.tables
}

// take makes one chunk that begins at i and ends where begins first holds or at
// the limits, and returns its end.
func (c *chunker) take(i int, kind chunkKind, begins func(int) bool) int {
	first, bytes := i, 0
	for {
		bytes += len(c.lines[i])
		i++
		if i == len(c.lines) || begins(i) || i-first >= maxChunkLines || bytes > maxChunkBytes {
			c.chunks = append(c.chunks, chunk{first: int32(first), end: int32(i), kind: kind})
			return i
		}
	}
}

// lineByLine says that a line is drawn by itself.
func (c *chunker) lineByLine(i int) bool {
	switch info := c.infos[i]; info.kind {
	case kindFront, kindComment:
		return true
	case kindFence, kindCode:
		return info.flush
	}
	return len(c.lines[i]) > maxInline
}

// begins says that a block begins at a line whatever stands before it.
func (c *chunker) begins(i int) bool {
	switch {
	case c.lines[i] == "": // also inside code
		return false
	case c.lineByLine(i) || c.tableAt(i):
		return true
	}
	switch c.infos[i].kind {
	case kindHeading:
		return c.lines[i][0] == '#'
	case kindFootnote:
		return true
	}
	first := c.lines[i][0]
	return c.infos[i-1].kind == kindBlank && first != ' ' && first != '\t' && c.infos[i].kind != kindCode
}

// tableAt says that the titles of a table are at a line.
func (c *chunker) tableAt(i int) bool {
	if i+1 >= len(c.lines) || c.infos[i+1].kind != kindTableRule || !tableLine(c.infos[i].kind) {
		return false
	}
	line := c.lines[i]
	return line[0] != ' ' && line[0] != '\t' && len(line) <= maxInline && strings.IndexByte(line, '|') >= 0 &&
		len(splitRow(line)) == len(splitRow(c.lines[i+1]))
}

func tableLine(k lineKind) bool { return k == kindTable || k == kindText }

// table makes the chunks of a table.
func (c *chunker) table(i int) int {
	end := i + 2
	for end < len(c.lines) && tableLine(c.infos[end].kind) && !c.lineByLine(end) {
		end++
	}
	for at := i; at < end; at += tableChunk {
		stop := min(at+tableChunk, end)
		if at == i && stop < i+2 {
			stop = i + 2
		}
		c.chunks = append(c.chunks, chunk{int32(at), int32(stop), chunkTable, int32(len(c.tables))})
	}
	c.tables = append(c.tables, gridArea{first: int32(i), end: int32(end)})
	return end
}

// chunkAt is the index of the chunk that holds a line.
func chunkAt(chunks []chunk, line int) int {
	return sort.Search(len(chunks), func(k int) bool { return int(chunks[k].end) > line })
}

// splitRow cuts a line of a table into its cells.
func splitRow(line string) []string {
	line = strings.TrimSpace(line)
	line = strings.TrimPrefix(line, "|")
	var cells []string
	start := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '|':
			cells = append(cells, strings.TrimSpace(line[start:i]))
			start = i + 1
		}
	}
	if rest := strings.TrimSpace(line[min(start, len(line)):]); rest != "" || start == 0 {
		cells = append(cells, rest)
	}
	for i, cell := range cells {
		cells[i] = strings.ReplaceAll(cell, `\|`, "|")
	}
	return cells
}

// isTableRule says that a line is the dashes under the titles of a table.
func isTableRule(body string) bool {
	if strings.Trim(body, "|-: \t") != "" || strings.IndexByte(body, '-') < 0 || strings.IndexByte(body, '|') < 0 {
		return false
	}
	for _, cell := range splitRow(body) {
		if strings.Trim(cell, "-") != "" && strings.Trim(strings.TrimSuffix(strings.TrimPrefix(cell, ":"), ":"), "-") != "" || strings.IndexByte(cell, '-') < 0 {
			return false
		}
	}
	return true
}

package rows

import "container/list"

const (
	maxCost    = 16384 // lines, plus one for each item
	minEntries = 64
)

type cacheKey struct {
	Key
	width int
	theme string
}

type cached struct {
	key   cacheKey
	lines []string
}

// cache keeps the items that were used last. It is bounded by lines, but always
// keeps as many items as a few windows may hold: an item longer than the bound
// would else be rendered again on every frame.
type cache struct {
	index   map[cacheKey]*list.Element
	order   *list.List // most recently used first
	cost    int
	atLeast int
}

func newCache() cache {
	return cache{index: map[cacheKey]*list.Element{}, order: list.New(), atLeast: minEntries}
}

func (c *cache) get(k cacheKey) ([]string, bool) {
	e, ok := c.index[k]
	if !ok {
		return nil, false
	}
	c.order.MoveToFront(e)
	return e.Value.(*cached).lines, true
}

func (c *cache) put(k cacheKey, lines []string) {
	c.index[k] = c.order.PushFront(&cached{key: k, lines: lines})
	c.cost += len(lines) + 1
	for c.cost > maxCost && c.order.Len() > c.atLeast {
		last := c.order.Back()
		old := last.Value.(*cached)
		c.order.Remove(last)
		delete(c.index, old.key)
		c.cost -= len(old.lines) + 1
	}
}

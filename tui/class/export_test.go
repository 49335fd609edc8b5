package class

// size is how many connections are counted.
func (c *crowd) size() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.all)
}

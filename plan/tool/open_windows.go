package tool

// openFlags: there is nothing to ask for here; devices are refused by kind.
const openFlags = 0

// noFollow: links are told by their kind before opening.
const noFollow = 0

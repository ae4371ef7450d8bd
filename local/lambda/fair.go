package lambda

// fairOrder holds messages that wait and decides whose turn it is: that of the group with
// the fewest messages in flight, and among those of the group that was last served, or
// came, longest ago. Within a group the order is that of arrival. So a group with many
// messages takes only the workers that the others leave, and none is passed over for ever.
//
// It is not safe for concurrent use.
type fairOrder[M any] struct {
	groups map[string]*messageGroup[M]
	// perBacklog is the most messages of a backlog in flight; 0 means no bound.
	perBacklog int
	// waiting counts the messages that wait in all groups.
	waiting int
	// ticks counts what happened to groups, as a clock for lastServed.
	ticks int
}

// messageGroup is a group that has messages waiting or in flight.
type messageGroup[M any] struct {
	waiting    []M
	inFlight   int
	lastServed int
}

// add puts a message at the end of its group.
func (f *fairOrder[M]) add(name string, m M) {
	group := f.groups[name]
	if group == nil {
		if f.groups == nil {
			f.groups = map[string]*messageGroup[M]{}
		}
		f.ticks++
		group = &messageGroup[M]{lastServed: f.ticks}
		f.groups[name] = group
	}
	group.waiting = append(group.waiting, m)
	f.waiting++
}

// next removes the message whose turn it is and counts it as in flight. It reports false
// if none may run.
func (f *fairOrder[M]) next() (m M, ok bool) {
	first := f.nextGroup()
	if first == nil {
		return m, false
	}
	m, first.waiting = first.waiting[0], first.waiting[1:]
	first.inFlight++
	f.waiting--
	return m, true
}

// backlog is how many waiting messages of a group make it a backlog.
const backlog = 50

// nextGroup returns the group whose turn it is, or nil.
func (f *fairOrder[M]) nextGroup() (first *messageGroup[M]) {
	for _, group := range f.groups {
		bound := f.perBacklog > 0 && len(group.waiting) > backlog && group.inFlight >= f.perBacklog
		if len(group.waiting) > 0 && !bound && (first == nil || group.precedes(first)) {
			first = group
		}
	}
	return first
}

func (g *messageGroup[M]) precedes(other *messageGroup[M]) bool {
	if g.inFlight != other.inFlight {
		return g.inFlight < other.inFlight
	}
	return g.lastServed < other.lastServed
}

// finish ends the flight of a message of the group.
func (f *fairOrder[M]) finish(name string) {
	group := f.groups[name]
	f.ticks++
	group.inFlight--
	group.lastServed = f.ticks
	if group.inFlight == 0 && len(group.waiting) == 0 {
		delete(f.groups, name)
	}
}

package lambda

// fairOrder holds the waiting messages and decides which one is next: one of the group with the
// fewest messages in flight, and of several such groups the one that was served, or arrived,
// longest ago. Within a group the order is that of arrival. So a group with many messages takes
// only the workers that the others leave free, and no group waits for ever.
//
// It is not safe for concurrent use.
type fairOrder[M any] struct {
	groups map[string]*messageGroup[M]
	// perBacklog is the maximum number of messages in flight of a group with a backlog; 0
	// means no bound.
	perBacklog int
	// waiting counts the messages that wait in all groups.
	waiting int
	// ticks is a logical clock for lastServed.
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

// next removes the next message and counts it as in flight. It reports false if none may run.
func (f *fairOrder[M]) next() (m M, ok bool) {
	first := f.nextGroup()
	if first == nil {
		return m, false
	}
	m = first.waiting[0]
	first.waiting = first.waiting[1:]
	first.inFlight++
	f.waiting--
	return m, true
}

// backlog is how many messages of a group may wait before they count as a backlog.
const backlog = 50

// nextGroup returns the group with the next message, or nil.
func (f *fairOrder[M]) nextGroup() (first *messageGroup[M]) {
	for _, group := range f.groups {
		bound := f.perBacklog > 0 && len(group.waiting) > backlog && group.inFlight >= f.perBacklog
		mayBegin := len(group.waiting) > 0 && !bound
		if mayBegin && (first == nil || group.precedes(first)) {
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

// finish records that a message of the group is no longer in flight.
func (f *fairOrder[M]) finish(name string) {
	group := f.groups[name]
	f.ticks++
	group.inFlight--
	group.lastServed = f.ticks
	if group.inFlight == 0 && len(group.waiting) == 0 {
		delete(f.groups, name)
	}
}

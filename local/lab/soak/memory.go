package soak

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// memoryLog records the resident memory of a process and its children over time, in MB by
// process name. It needs /proc; elsewhere it stays empty.
type memoryLog struct {
	mu    sync.Mutex
	taken []memorySample
}

type memorySample struct {
	at        time.Time
	megabytes map[string]int
}

// addSample adds the memory that the process and its children use now.
func (l *memoryLog) addSample(pid int) {
	s := memorySample{time.Now(), map[string]int{}}
	files, _ := filepath.Glob("/proc/[0-9]*/status")
	for _, file := range files {
		status, err := os.ReadFile(file)
		if err != nil { // it has ended
			continue
		}
		fields := statusFields(status)
		if id := strconv.Itoa(pid); fields["Pid"] == id || fields["PPid"] == id {
			kilobytes, _ := strconv.Atoi(strings.TrimSuffix(fields["VmRSS"], " kB"))
			s.megabytes[fields["Name"]] += kilobytes >> 10
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.taken = append(l.taken, s)
}

func statusFields(status []byte) map[string]string {
	fields := map[string]string{}
	for line := range bytes.Lines(status) {
		if name, value, ok := strings.Cut(string(line), ":"); ok {
			fields[name] = strings.TrimSpace(value)
		}
	}
	return fields
}

// peakBetween returns the peak of each process between two times.
func (l *memoryLog) peakBetween(from, to time.Time) map[string]int {
	l.mu.Lock()
	defer l.mu.Unlock()
	high := map[string]int{}
	for _, s := range l.taken {
		if s.at.Before(from) || !s.at.Before(to) {
			continue
		}
		for name, megabytes := range s.megabytes {
			high[name] = max(high[name], megabytes)
		}
	}
	return high
}

func formatMemory(megabytes map[string]int) string {
	var parts []string
	for name, n := range megabytes {
		parts = append(parts, fmt.Sprintf("%s %d", name, n))
	}
	slices.Sort(parts)
	return strings.Join(parts, ", ")
}

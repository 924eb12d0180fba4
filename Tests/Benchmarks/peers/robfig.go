// robfig.go: robfig/cron enumerating one rule, or merging many with a heap, as the Go programs that embed it do.
package main

import (
	"bufio"
	"container/heap"
	"fmt"
	"os"
	"strconv"
	"time"

	cron "github.com/robfig/cron"
)

type item struct {
	next     time.Time
	schedule cron.Schedule
	order    int
}

type queue []item

func (q queue) Len() int { return len(q) }
func (q queue) Less(a, b int) bool {
	if q[a].next.Equal(q[b].next) {
		return q[a].order < q[b].order
	}
	return q[a].next.Before(q[b].next)
}
func (q queue) Swap(a, b int) { q[a], q[b] = q[b], q[a] }
func (q *queue) Push(x any)   { *q = append(*q, x.(item)) }
func (q *queue) Pop() any     { old := *q; last := old[len(old)-1]; *q = old[:len(old)-1]; return last }

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// One rule's entries after `from`, each asked for by the one before.
func enumerate(schedule cron.Schedule, from, until time.Time) {
	for at := schedule.Next(from); !at.IsZero() && !at.After(until); at = schedule.Next(at) {
		count++
		sum += uint64(at.Unix())
	}
}

// The entries of many rules in order.
func merge(schedules []cron.Schedule, from, until time.Time) {
	var merged queue
	for order, schedule := range schedules {
		heap.Push(&merged, item{schedule.Next(from), schedule, order})
	}
	for len(merged) > 0 && !merged[0].next.After(until) {
		count++
		sum += uint64(merged[0].next.Unix())
		merged[0].next = merged[0].schedule.Next(merged[0].next)
		heap.Fix(&merged, 0)
	}
}

// `wanted` entries, of which each lap from `from` on gives `lap`.
func ask(schedule cron.Schedule, from time.Time, wanted, lap int) {
	for count < wanted {
		at := from
		for turn := 0; turn < lap && count < wanted; turn++ {
			at = schedule.Next(at)
			count++
			sum += uint64(at.Unix())
		}
	}
}

func parse(rule string) cron.Schedule {
	schedule, err := cron.ParseStandard(rule)
	check(err)
	return schedule
}

func number(text string) int64 {
	value, err := strconv.ParseInt(text, 10, 64)
	check(err)
	return value
}

var count, sum = 0, uint64(0)

// `next RULE ZONE FIRST LAST`, `merge FILE ZONE FIRST LAST`, `periodic COUNT`, `sparse COUNT`, as timeline-bench has them.
func main() {
	name := "Europe/Berlin"
	if len(os.Args) > 3 {
		name = os.Args[3]
	}
	zone, err := time.LoadLocation(name)
	check(err)
	var start time.Time
	switch os.Args[1] {
	case "next":
		schedule := parse(os.Args[2])
		start = time.Now()
		enumerate(schedule, time.Unix(number(os.Args[4]), 0).In(zone), time.Unix(number(os.Args[5]), 0))
	case "merge":
		file, err := os.Open(os.Args[2])
		check(err)
		var schedules []cron.Schedule
		for lines := bufio.NewScanner(file); lines.Scan(); {
			schedules = append(schedules, parse(lines.Text()))
		}
		start = time.Now()
		merge(schedules, time.Unix(number(os.Args[4]), 0).In(zone), time.Unix(number(os.Args[5]), 0))
	case "periodic":
		start = time.Now()
		ask(cron.Every(30*time.Second), time.Unix(1767225600, 0).In(zone), int(number(os.Args[2])), 1<<62)
	case "sparse":
		schedule := parse("0 2 29 2 *")
		start = time.Now()
		ask(schedule, time.Unix(978307200, 0).In(zone), int(number(os.Args[2])), 24)
	}
	fmt.Printf("{\"count\":%d,\"sum\":%d,\"nanoseconds\":%d}\n", count, sum, time.Since(start).Nanoseconds())
}

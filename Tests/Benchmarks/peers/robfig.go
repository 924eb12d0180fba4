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
func (q queue) Swap(a, b int)   { q[a], q[b] = q[b], q[a] }
func (q *queue) Push(x any)     { *q = append(*q, x.(item)) }
func (q *queue) Pop() any       { old := *q; last := old[len(old)-1]; *q = old[:len(old)-1]; return last }

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	location, err := time.LoadLocation(os.Args[3])
	check(err)
	first, err := strconv.ParseInt(os.Args[4], 10, 64)
	check(err)
	last, err := strconv.ParseInt(os.Args[5], 10, 64)
	check(err)
	from, until := time.Unix(first, 0).In(location), time.Unix(last, 0)
	count, sum := 0, uint64(0)
	var start time.Time
	switch os.Args[1] {
	case "next":
		schedule, err := cron.ParseStandard(os.Args[2])
		check(err)
		start = time.Now()
		for at := schedule.Next(from); !at.IsZero() && !at.After(until); at = schedule.Next(at) {
			count++
			sum += uint64(at.Unix())
		}
	case "merge":
		file, err := os.Open(os.Args[2])
		check(err)
		var schedules []cron.Schedule
		for lines := bufio.NewScanner(file); lines.Scan(); {
			schedule, err := cron.ParseStandard(lines.Text())
			check(err)
			schedules = append(schedules, schedule)
		}
		start = time.Now()
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
	fmt.Printf("{\"count\":%d,\"sum\":%d,\"nanoseconds\":%d}\n", count, sum, time.Since(start).Nanoseconds())
}

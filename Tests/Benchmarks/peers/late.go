// late.go: how late robfig/cron calls a job, as the job sees it, in nanoseconds, a line a call.
// `late each JOBS SECONDS`: one job falls due each second, the others never. `late once JOBS`: all fall due at one instant.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	cron "github.com/robfig/cron"
)

// What falls due at each of these instants.
type instants []time.Time

func (all instants) Next(after time.Time) time.Time {
	for _, instant := range all {
		if instant.After(after) {
			return instant
		}
	}
	return time.Time{}
}

type job struct {
	due  instants
	seen *[]int64
	next *int64
	done *sync.WaitGroup
}

func (j job) Run() {
	now := time.Now()
	due := j.due[0]
	for _, instant := range j.due {
		if !instant.After(now) {
			due = instant
		}
	}
	(*j.seen)[atomic.AddInt64(j.next, 1)-1] = now.Sub(due).Nanoseconds()
	j.done.Done()
}

func main() {
	count, _ := strconv.Atoi(os.Args[2])
	var due instants
	start := time.Now().Truncate(time.Second).Add(time.Duration(3+count/50000) * time.Second)
	runners, entries := count, 1
	if os.Args[1] == "each" {
		entries, _ = strconv.Atoi(os.Args[3])
		runners = 1
	}
	for second := 0; second < entries; second++ {
		due = append(due, start.Add(time.Duration(second)*time.Second))
	}
	seen, next, done := make([]int64, runners*entries), int64(0), sync.WaitGroup{}
	done.Add(runners * entries)
	timeline := cron.New()
	for number := 0; number < count; number++ {
		if number < runners {
			timeline.Schedule(due, job{due, &seen, &next, &done})
		} else {
			timeline.Schedule(instants{start.Add(time.Duration(number) * time.Hour)}, job{due, &seen, &next, &done})
		}
	}
	timeline.Start()
	done.Wait()
	output := bufio.NewWriter(os.Stdout)
	defer output.Flush()
	for _, late := range seen {
		fmt.Fprintln(output, late)
	}
}

// queue.go: `queue SIZE OPERATIONS even|minutes [sort]`, the work that timeline-bench's verb of that name describes, with Go's
// container/heap; with `sort` as robfig/cron does it, which sorts all its entries by time at each turn.
package main

import (
	"container/heap"
	"fmt"
	"os"
	"sort"
	"strconv"
	"time"
)

type entry struct {
	deadline int64
	number   int
}

type entries []entry

func (e entries) Len() int { return len(e) }
func (e entries) Less(a, b int) bool {
	return e[a].deadline < e[b].deadline || e[a].deadline == e[b].deadline && e[a].number < e[b].number
}
func (e entries) Swap(a, b int) { e[a], e[b] = e[b], e[a] }
func (e *entries) Push(x any)   { *e = append(*e, x.(entry)) }
func (e *entries) Pop() any {
	old := *e
	last := old[len(old)-1]
	*e = old[:len(old)-1]
	return last
}

var state uint64 = 88172645463325252

func draw() int64 {
	state = state*6364136223846793005 + 1442695040888963407
	return int64(state >> 33)
}

func main() {
	size, _ := strconv.Atoi(os.Args[1])
	operations, _ := strconv.Atoi(os.Args[2])
	even, sorts := os.Args[3] == "even", len(os.Args) > 4
	const minute = 60_000_000_000
	queue := make(entries, size)
	for number := range queue {
		if queue[number] = (entry{draw(), number}); !even {
			queue[number].deadline = queue[number].deadline % 60 * minute
		}
	}
	heap.Init(&queue)
	sum := uint64(0)
	start := time.Now()
	for turn := 0; turn < operations; turn++ {
		if sorts {
			sort.Sort(queue)
		}
		first := &queue[0]
		sum += uint64(first.deadline) ^ uint64(first.number)
		if even {
			first.deadline += 1_000_000_000 + draw()>>1
		} else {
			first.deadline += (1 + draw()&63) * minute
		}
		if !sorts {
			heap.Fix(&queue, 0)
		}
	}
	fmt.Printf("{\"count\":%d,\"sum\":%d,\"nanoseconds\":%d}\n", operations, sum, time.Since(start).Nanoseconds())
}

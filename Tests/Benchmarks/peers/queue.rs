// queue.rs: Rust's BinaryHeap of (deadline, number): `queue SIZE OPERATIONS even|minutes [peek]`, the work that timeline-bench's
// verb of that name describes. It pops and pushes; with `peek` it changes the first in place, which is its quickest way.
use std::cmp::Reverse;
use std::collections::binary_heap::PeekMut;
use std::collections::BinaryHeap;
use std::time::Instant;

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let (size, operations): (u32, u64) = (words[1].parse().unwrap(), words[2].parse().unwrap());
    let (even, in_place) = (words[3] == "even", words.len() > 4);
    let mut state: u64 = 88172645463325252;
    let mut draw = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as i64
    };
    let minute = 60_000_000_000;
    let mut heap = BinaryHeap::with_capacity(size as usize);
    for number in 0..size {
        heap.push(Reverse((if even { draw() } else { draw() % 60 * minute }, number)));
    }
    let mut sum: u64 = 0;
    let start = Instant::now();
    for _ in 0..operations {
        let period = if even { 1_000_000_000 + (draw() >> 1) } else { (1 + (draw() & 63)) * minute };
        if in_place {
            let mut first = heap.peek_mut().unwrap();
            let (deadline, number) = first.0;
            sum = sum.wrapping_add(deadline as u64 ^ number as u64);
            first.0 .0 = deadline + period;
            drop::<PeekMut<_>>(first);
        } else {
            let Reverse((deadline, number)) = heap.pop().unwrap();
            sum = sum.wrapping_add(deadline as u64 ^ number as u64);
            heap.push(Reverse((deadline + period, number)));
        }
    }
    println!("{{\"count\":{},\"sum\":{},\"nanoseconds\":{}}}", operations, sum, start.elapsed().as_nanos());
}

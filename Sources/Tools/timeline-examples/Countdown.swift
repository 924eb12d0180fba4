import TimelineClocks
import TimelineCore

/// Shows the seconds that are left, and then the lift-off.
func countdown(from seconds: Int64, on clock: some TimelineClock, show: (String) -> Void) async {
  let start = clock.now
  for await context in clock.contexts(of: .periodic(from: start, by: .seconds(1))) {
    let left = start + .seconds(seconds) - context.date
    guard left > .zero else { return show("Lift-off!") }
    show("\(left)")
  }
}

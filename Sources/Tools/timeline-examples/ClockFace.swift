import TimelineClocks
import TimelineCore

/// Shows the time of day in `zone`, without seconds if updates are rarer than a second.
func clockFace(
  in zone: Zone, on clock: some TimelineClock, cadence: Cadence = .live, show: (String) -> Void
) async {
  let timeline: some Schedule = .periodic(from: .epoch, by: .seconds(1))
  for await context in timeline.contexts(on: clock, cadence: cadence) {
    let time = "\(zone.civil(at: context.date).time)"
    show(context.cadence <= .seconds ? time : "\(time.prefix(5))")
  }
}

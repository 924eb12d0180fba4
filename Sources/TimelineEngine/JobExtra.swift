import TimelineCore

/// State that only some jobs need; ``JobState`` documents each part.
struct JobExtra: Sendable {
  var unclaimed: [DueEntry] = []
  var buffered: [DueEntry] = []
  var held: [DueEntry] = []
  var groups: [Int] = []
  var pause: Pause?
  var lastTrigger: WallInstant?
  var decidedAhead: [ClosedRange<WallInstant>] = []
  var repeatedThrough: WallInstant = .min
  var settledWhileWaiting: WallInstant = .min
  var earliestStart: WallInstant = .min
  var previousMessage = ""
  /// The first and the last entry of its own in the order of the clock (those of a closed loop, triggers), and how often the
  /// clock was set.
  var ownFrom: WallInstant = .max
  var ownThrough: WallInstant = .min
  var steps: Int64 = 0

  /// Notes an entry of its own.
  mutating func noteOwn(_ nominal: WallInstant) {
    (ownFrom, ownThrough) = (min(ownFrom, nominal), max(ownThrough, nominal))
  }
}

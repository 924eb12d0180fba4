import TimelineCore
import TimelineSystem

/// Prints how many instants came out, their sum in seconds since the epoch modulo 2^64, so that equal work can be proved, and
/// the time since `start`.
func report(_ count: Int, _ sum: UInt64, since start: MonotonicInstant) {
  let nanoseconds = (SystemTime.monotonic() - start).nanoseconds
  CurrentProcess.print("{\"count\":\(count),\"sum\":\(sum),\"nanoseconds\":\(nanoseconds)}\n")
}

/// The seconds of an instant, for the sum.
func seconds(_ instant: WallInstant) -> UInt64 {
  UInt64(bitPattern: instant.nanosecondsSinceEpoch / 1_000_000_000)
}

/// Ends the program with a sentence and status 2.
func refuse(_ sentence: String) -> Never {
  CurrentProcess.printError("timeline-bench: \(sentence)\n")
  CurrentProcess.exitNow(2)
}

import TimelineCore
import TimelineSystem

/// Rate-limited report of an event that another process can cause in a loop. The first event is reported at once. Later events
/// are reported together with their number, at most once per pause (by default a minute).
final class RateLimitedNotice {
  private let loop: EventLoop
  private let pause: ElapsedTime
  private let tell: (_ countSinceLast: Int) -> Void
  private var quiet: Delay?
  private var count = 0

  /// Makes a notice; the closure receives the number of events since its last call.
  init(loop: EventLoop, atMostEvery pause: ElapsedTime = .minutes(1), tell: @escaping (Int) -> Void) {
    self.loop = loop
    self.pause = pause
    self.tell = tell
  }

  deinit { quiet?.cancel() }

  /// Counts an event. Reports it at once if the last report is at least a pause ago, and otherwise at the end of the pause.
  func note() {
    count += 1
    if quiet == nil { tellAll() }
  }

  private func tellAll() {
    quiet = nil
    guard count > 0 else { return }
    let told = count
    count = 0
    quiet = loop.after(pause) { [weak self] in self?.tellAll() }
    tell(told)
  }
}

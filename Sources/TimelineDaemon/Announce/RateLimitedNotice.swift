import TimelineCore
import TimelineSystem

/// Something that others can make happen as often as they like, told of at once and then at most once a minute, with how often.
final class RateLimitedNotice {
  private let loop: EventLoop
  private let pause: ElapsedTime
  private let tell: (_ countSinceLast: Int) -> Void
  private var quiet: Delay?
  private var count = 0

  /// Makes a notice; `tell` is called with how often it has happened since it was last called.
  init(loop: EventLoop, atMostEvery pause: ElapsedTime = .minutes(1), tell: @escaping (Int) -> Void) {
    self.loop = loop
    self.pause = pause
    self.tell = tell
  }

  deinit { quiet?.cancel() }

  /// It has happened.
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

import TimelineCore
import TimelineSystem

/// Whether a host answers so soon that the loop's turn is to stay open for it.
///
/// One that was late once is tried again at its next run, and after that more and more rarely: who works for seconds must not
/// keep the loop's turns open.
struct AnswerHabit {
  /// Number of consecutive late answers.
  private var lateCount: UInt64 = 0
  private var sentAt: MonotonicInstant?

  /// Notes that a question was sent; whether its answer may be waited for.
  mutating func ask(at now: MonotonicInstant) -> Bool {
    sentAt = now
    return lateCount & (lateCount &- 1) == 0
  }

  /// Notes that the answer has come, or that it will not come.
  mutating func hear(at now: MonotonicInstant) {
    guard let sentAt else { return }
    self.sentAt = nil
    lateCount = now - sentAt <= EventLoop.answerMax ? 0 : lateCount + 1
  }
}

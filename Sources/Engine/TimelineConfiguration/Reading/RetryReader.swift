import TimelineCore

/// Reads a job's `retry`.
struct RetryReader {
  let reading: FileReading

  private static let example = [
    "it looks like { attempts = 3, backoff = { from = \"1s\", to = \"1m\" } }"
  ]

  /// Returns the policy; `nil` after all errors have been reported.
  func read(_ item: Item) -> RetryPolicy? {
    guard let entries = reading.table(item, expected: "a table with `attempts`", help: Self.example) else {
      return nil
    }
    let fields = Fields(entries, of: .retry, path: item.path + ".", in: reading)
    if fields["attempts"] == nil {
      reading.log.error(
        "`retry` has no `attempts`", at: item.keyPlace, label: "expected how often to try in all",
        help: Self.example)
    }
    let attempts = fields["attempts"].flatMap {
      reading.integer($0, in: 2...ConfigurationLimits.attemptCountMax)
    }
    let pauses = fields["backoff"].map(backoff) ?? (.seconds(1), .minutes(1))
    let jitter = fields["jitter"].map { reading.percentage($0) } ?? 10
    guard let attempts, let pauses, let jitter else { return nil }
    return RetryPolicy(
      attempts: attempts, backoffFrom: pauses.from, backoffTo: pauses.to, jitterPercent: jitter)
  }

  private func backoff(_ item: Item) -> (from: ElapsedTime, to: ElapsedTime)? {
    guard
      let entries = reading.table(item, expected: "a table with `from` and `to`", help: Self.example)
    else { return nil }
    let fields = Fields(entries, of: .backoff, path: item.path + ".", in: reading)
    let from = fields["from"].map { reading.elapsed($0, atLeast: .zero) } ?? .seconds(1)
    let to = fields["to"].map { reading.elapsed($0, atLeast: .zero) } ?? max(from ?? .zero, .minutes(1))
    guard let from, let to else { return nil }
    if to < from, let item = fields["to"] {
      reading.log.error(
        "`\(item.path)` is shorter than `from`", at: item.place, label: "expected at least \"\(from)\"")
    }
    return (from, to)
  }
}

extension RetryPolicy {
  /// Returns the maximum length of a run with all its attempts, each of length `attempt`. The result saturates.
  func total(ofAttempts attempt: ElapsedTime) -> ElapsedTime {
    var (total, pause) = (attempt * Int64(attempts), backoffFrom)
    for _ in 1..<max(attempts, 1) {
      total = total + min(pause, backoffTo)
      pause = pause * 2
    }
    return total
  }
}

internal import TimelineCore
internal import TimelineSystem
internal import TimelineWire

/// The lifecycle of one instance: open, many runs, close, open again, and the end of its process.
extension ConformanceSuite {
  /// Time limit for all runs together.
  private static let manyRunsLimit = ElapsedTime.seconds(20)
  /// Longest time until the first measurement, which follows the first runs. In these runs, a process allocates its
  /// permanent memory.
  private static let warmUpLimit = ElapsedTime.seconds(2)
  /// Smallest number of runs in which growth can be detected.
  private static let runsMin = 30
  /// Runs between two measurements of the process's resources.
  private static let runsBetweenLooks = 50
  /// Tolerated growth of memory after the first runs, in bytes. An allocator may add and release pages.
  private static let growthMax = 1 << 20
  /// Growth of memory at which the runs stop, in bytes, so that a leak does not exhaust the machine.
  private static let growthStop = 32 << 20
  /// Pause before threads are counted and stale calls are checked. Ending threads end in it, and leftover threads
  /// make their calls.
  private static let settling = ElapsedTime.milliseconds(200)
  /// The beginning of the host's message about the use of an ended call.
  private static let complaint = "timeline-host: the plugin called the host for a call"

  mutating func checkLife() throws {
    var output = ""
    try withHost(.loads) { suite, host in
      host.listener = { report in
        if case .output(let text) = report, text.contains(Self.complaint) { output += text }
      }
      try suite.passOpening(host)
      guard suite.findings[.open]?.verdict == .passed else { return }
      try suite.passRuns(host)
      guard suite.findings[.runReturns]?.verdict == .passed else { return }
      host.linger(Self.settling)
      if output.isEmpty {
        suite.note(.staleCalls, .passed)
      } else {
        suite.note(
          .staleCalls, .failed, "a thread called the host later: end each thread before the function returns")
      }
      try suite.passEnding(host)
    }
  }

  private mutating func passOpening(_ host: TrialHost) throws {
    try blaming(.open) { suite in
      if try suite.open(host, .open) { suite.note(.open, .passed) }
    }
  }

  /// Calls `body`. Records a fault of the process as a failure of `check`.
  private mutating func blaming(
    _ check: ConformanceCheck, _ body: (inout ConformanceSuite) throws -> Void
  ) throws {
    do { try body(&self) } catch let fault as TrialHost.Fault { note(check, .failed, "\(fault)") }
  }

  private mutating func passRuns(_ host: TrialHost) throws {
    try blaming(.runReturns) { suite in
      var previous = try suite.call(host, suite.request(1))
      previous = try suite.call(host, suite.request(2, after: previous))
      suite.note(.runReturns, .passed, Self.summary(of: previous))
      try suite.passManyRuns(host, previous)
    }
  }

  private static func summary(of end: RunEnd) -> String {
    switch end.status {
    case .succeeded: end.text.isEmpty ? "succeeded" : "succeeded: \(end.text)"
    case .failed, .failedForNow: "failed: \(end.text)"
    case .cancelled: "cancelled"
    }
  }

  private mutating func passManyRuns(_ host: TrialHost, _ first: RunEnd) throws {
    var previous = first
    let begin = SystemTime.monotonic()
    let warmUp = setup.runs / 10
    var (count, start) = (0, Int?.none)
    var before: ProcessUsage?
    while count < setup.runs, SystemTime.monotonic() - begin < Self.manyRunsLimit {
      if start == nil, count == warmUp || SystemTime.monotonic() - begin > Self.warmUpLimit {
        host.linger(Self.settling)
        (start, before) = (count, ProcessUsage(of: host.process))
      }
      previous = try call(host, request(UInt64(count) + 3, after: previous))
      count += 1
      if let start, (count - start) % Self.runsBetweenLooks == 0, let before,
        let now = ProcessUsage(of: host.process),
        now.anonymousBytes - before.anonymousBytes > Self.growthStop
      {
        break
      }
    }
    host.linger(Self.settling)
    judgeGrowth(from: before, to: ProcessUsage(of: host.process), runs: count - (start ?? count))
  }

  private mutating func judgeGrowth(from before: ProcessUsage?, to after: ProcessUsage?, runs: Int) {
    let growths: [ConformanceCheck] = [.memory, .descriptors, .threads]
    guard runs >= Self.runsMin else {
      let text = "only \(runs) runs after the first ones: give parameters of a shorter run"
      return growths.forEach { note($0, .skipped, text) }
    }
    guard let before, let after else {
      return growths.forEach { note($0, .skipped, "/proc does not show what the process holds") }
    }
    let bytes = after.anonymousBytes - before.anonymousBytes
    let descriptors = after.descriptors - before.descriptors
    let threads = after.threads - before.threads
    note(.memory, bytes <= Self.growthMax ? .passed : .failed, "\(bytes / 1024) KiB more in \(runs) runs")
    note(.descriptors, descriptors <= 0 ? .passed : .failed, "\(descriptors) more in \(runs) runs")
    note(.threads, threads <= 0 ? .passed : .failed, "\(threads) more in \(runs) runs")
  }

  private mutating func passEnding(_ host: TrialHost) throws {
    try blaming(.close) { suite in
      try host.close(within: suite.setup.limit)
      suite.note(.close, .passed)
    }
    guard findings[.close]?.verdict == .passed else { return }
    try blaming(.reopen) { suite in
      guard try suite.open(host, .reopen) else { return }
      _ = try suite.call(host, suite.request(1))
      try host.close(within: suite.setup.limit)
      suite.note(.reopen, .passed)
    }
    guard findings[.reopen]?.verdict == .passed else { return }
    let end = host.exit()
    note(.end, end == .exited(0) ? .passed : .failed, end == .exited(0) ? "" : "its process \(end)")
  }
}

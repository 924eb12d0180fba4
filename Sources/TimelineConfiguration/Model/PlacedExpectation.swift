package import TimelineCore

/// One `[[expect-schedule]]`: what is to be true of a job's entries for a while from now on, and where it says so.
package struct PlacedExpectation: Sendable, Hashable {
  /// The expectation.
  package var expectation: ScheduleExpectation
  /// The time for which it is to hold, as written in the file.
  package var spanText: String
  /// The place of the table.
  package var place: SourcePlace
  /// The places of its values, by key.
  package var places: [String: SourcePlace]

  /// Each property as an expectation of its own, by key, so that each is answered at its place.
  var parts: [(key: String, expectation: ScheduleExpectation)] {
    var parts: [(String, ScheduleExpectation)] = []
    func add<Value>(_ key: String, _ path: WritableKeyPath<ScheduleExpectation, Value?>) {
      guard let value = expectation[keyPath: path] else { return }
      var part = ScheduleExpectation(job: expectation.job, over: expectation.over)
      part[keyPath: path] = value
      parts.append((key, part))
    }
    add("max-gap", \.maxGap)
    add("min-gap", \.minGap)
    add("per-day", \.perDay)
    add("never-overlaps", \.neverOverlaps)
    return parts
  }
}

/// The result of proving the expectations of a configuration.
package struct ExpectationProof: Sendable {
  /// Every one that does not hold, as an error with a dated counterexample, and every one of which it cannot be told, as a warning.
  package var diagnostics: [Diagnostic] = []
  /// The number of tables `[[expect-schedule]]` that are proven as a whole.
  package var heldCount = 0
  /// The number of tables in which a part is undecided and none is refuted.
  package var untoldCount = 0
}

extension Configuration {
  /// Proves or refutes every expectation from `now` on.
  ///
  /// A run is taken to last its job's `timeout`, the longest that it may, or without one what it is expected to.
  /// The machine decides which of the starts that its `jitter` allows an entry has: what does not hold for all of them does not
  /// hold.
  package func proveExpectations(from now: WallInstant) -> ExpectationProof {
    var proof = ExpectationProof()
    for placed in expectations {
      let said = placed.parts.compactMap { part in
        diagnostic(part.expectation.verdict(from: now, jobs: expectedJob), of: placed, at: part.key)
      }
      proof.diagnostics += said
      if said.isEmpty {
        proof.heldCount += 1
      } else if !said.contains(where: { $0.severity == .error }) {
        proof.untoldCount += 1
      }
    }
    return proof
  }

  /// Warnings about expectations that hold because they say little.
  package var idleExpectations: [Diagnostic] { expectations.flatMap(momentaryRuns) }

  /// Says of which job of a `never-overlaps` nobody knows how long its runs last: with runs that take no time it proves nothing.
  private func momentaryRuns(of placed: PlacedExpectation) -> [Diagnostic] {
    guard let other = placed.expectation.neverOverlaps else { return [] }
    return [placed.expectation.job, other].compactMap { name in
      guard let job = job(named: name), job.policies.timeout == nil, job.policies.expect == .zero else {
        return nil
      }
      return Diagnostic(
        severity: .warning, place: placed.places["never-overlaps"] ?? placed.place,
        message: "`never-overlaps` proves nothing about runs of `\(name)`, which are taken to last no time",
        help: ["give `\(name)` a `timeout`, or say by `expected-duration` how long its runs last"],
        notes: [Diagnostic.Note(message: "the job is here", place: place(of: name))])
    }
  }

  private func expectedJob(_ name: JobName) -> ExpectedJob? {
    job(named: name).map {
      ExpectedJob(
        rule: $0.schedule, timing: $0.timing, duration: $0.policies.timeout ?? $0.policies.expect,
        zone: $0.zone)
    }
  }

  private func diagnostic(
    _ verdict: ExpectationVerdict, of placed: PlacedExpectation, at key: String
  ) -> Diagnostic? {
    let place = placed.places[key] ?? placed.place
    let name = placed.expectation.job
    let notes =
      job(named: name) == nil
      ? [] : [Diagnostic.Note(message: "the job is here", place: self.place(of: name))]
    switch verdict {
    case .proven: return nil
    case .refuted(_, let reason):
      return Diagnostic(
        place: place, message: "`\(name)`: \(reason)", label: "not so over \(placed.spanText)", notes: notes)
    case .undecided(let reason):
      return Diagnostic(
        severity: .warning, place: place, message: "`\(key)` of `\(name)` is undecided: \(reason)",
        notes: notes)
    }
  }
}

package import TimelineCore

/// One `[[expect-schedule]]` with its place in the file: a property that a job's entries must have for some time from
/// now on.
package struct PlacedExpectation: Sendable, Equatable {
  package var expectation: ScheduleExpectation
  /// Time for which the expectation must hold, as written in the file.
  package var spanText: String
  package var place: SourcePlace
  /// Places of the values, by key.
  package var places: [String: SourcePlace]

  /// Each property as a separate expectation, by key, so that each is reported at its own place.
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
  /// An error with a dated counterexample for each refuted expectation, and a warning for each undecided one.
  package var diagnostics: [Diagnostic] = []
  /// Tables `[[expect-schedule]]` that are completely proven.
  package var heldCount = 0
  /// Tables with an undecided part and no refuted part.
  package var untoldCount = 0
}

extension Configuration {
  /// Proves or refutes all expectations from `now` on.
  ///
  /// A run is assumed to take its job's `timeout`, the longest possible time, or the expected length if there is no
  /// timeout. An entry may start anywhere within its `jitter`. An expectation holds only if it holds for all these
  /// starts.
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

  /// Warnings about expectations that hold only because they require little.
  package var idleExpectations: [Diagnostic] { expectations.flatMap(momentaryRuns) }

  /// Warns about each job in a `never-overlaps` without a known run length, because runs of no length prove nothing.
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

package import TimelineCore

/// One `[[expect-schedule]]`: a property that a job's entries must have for some time from now on, and its place in the
/// file.
package struct PlacedExpectation: Sendable, Hashable {
  /// The expectation.
  package var expectation: ScheduleExpectation
  /// The time for which the expectation must hold, as written in the file.
  package var spanText: String
  /// The place of the table.
  package var place: SourcePlace
  /// The places of its values, by key.
  package var places: [String: SourcePlace]

  /// The properties of the expectation as separate expectations, by key, so that each is reported at its own place.
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
  /// The number of tables `[[expect-schedule]]` that are proven completely.
  package var heldCount = 0
  /// The number of tables in which some part is undecided and no part is refuted.
  package var untoldCount = 0
}

extension Configuration {
  /// Proves or refutes all expectations from `now` on.
  ///
  /// The length of a run is assumed to be its job's `timeout`, the longest possible one. Without a timeout it is the
  /// expected length. The start of an entry may be anywhere within its `jitter`. An expectation holds only if it holds for
  /// all of these starts.
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

  /// Warns about each job in a `never-overlaps` whose runs have no known length, because nothing is proven if the runs take
  /// no time.
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

internal import TimelineCore
internal import TimelineWire

/// Checks that need a separate process.
extension ConformanceSuite {
  /// Time after which a run is requested to stop. The run has then begun its work.
  private static let cancelDelay = ElapsedTime.milliseconds(100)

  mutating func checkCancellation() throws {
    try withHost(.cancel) { suite, host in
      let open = try OpenRequest(job: suite.job, parameters: suite.setup.cancelParameters)
      if let failure = try host.open(open, within: suite.setup.limit) {
        return suite.note(.cancel, .skipped, "open failed: \(failure.text)")
      }
      let stop = TrialHost.Cancellation(after: Self.cancelDelay, grace: suite.setup.grace)
      let ending = try host.run(suite.request(1), within: suite.setup.limit, stopping: stop)
      guard ending.wasCancelled else {
        return suite.note(
          .cancel, .skipped,
          "the run ended by itself within \(Self.cancelDelay): give parameters of a long one with --cancel-with"
        )
      }
      suite.note(.cancel, .passed, "\(ending.end.status)")
    }
  }

  mutating func checkRefusal() throws {
    let wrong = WrongParameters.samples(
      schema: description?.parametersSchema ?? "", parameters: setup.parameters)
    guard !wrong.isEmpty else {
      return note(.refusesParameters, .skipped, "the schema requires nothing and gives no type")
    }
    for parameters in wrong {
      try withHost(.refusesParameters) { suite, host in
        let open = try OpenRequest(job: suite.job, parameters: parameters)
        if let failure = try host.open(open, within: suite.setup.limit) {
          suite.take(failure: failure.text)
        } else if try suite.call(host, suite.request(1)).status == .succeeded {
          return suite.note(.refusesParameters, .failed, "a run with \(parameters) succeeded")
        }
        suite.note(.refusesParameters, .passed, "such as \(parameters)")
      }
    }
  }

  mutating func checkInstances() throws {
    guard let max = description?.instancesMax, max > 1 else {
      return note(.instances, .skipped, "instances_max is 1")
    }
    try withHost(.instances) { suite, host in
      for instance in UInt32(0)...1 where try !suite.open(host, .instances, instance: instance) { return }
      for instance in UInt32(0)...1 {
        _ = try suite.call(host, suite.request(UInt64(instance) + 1, instance: instance))
      }
      for instance in UInt32(0)...1 { try host.close(instance, within: suite.setup.limit) }
      suite.note(.instances, .passed, "instances_max is \(max)")
    }
  }

  mutating func checkTwoHosts() throws {
    try withHost(.twoHosts) { suite, one in
      guard try suite.open(one, .twoHosts) else { return }
      try suite.withHost(.twoHosts) { suite, other in
        guard try suite.open(other, .twoHosts) else { return }
        one.begin(try suite.request(1))
        let second = try suite.call(other, suite.request(2))
        let first = try one.finish(1, within: suite.setup.limit).end
        let isSame = first.status == second.status
        suite.note(
          .twoHosts, isSame ? .passed : .failed,
          isSame ? "" : "one run ended as \(first.status), the other as \(second.status): \(second.text)")
      }
    }
  }
}

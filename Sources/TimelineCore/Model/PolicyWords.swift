extension Outcome {
  /// Its meaning, as a sentence for people.
  package var meaning: String {
    switch self {
    case .succeeded: "It ran and reported success."
    case .failed: "It ran and reported failure, or its host died."
    case .timedOut: "It ran longer than the job's timeout and was stopped."
    case .cancelled:
      "It ran and was stopped by an operator, by the overlap policy or by the end of the daemon."
    case .lost: "It ran, and its result could not be collected."
    case .unknown: "It may have run: the daemon died between the claim and the result."
    case .overlapped: "It did not run: the job was still running, or an entry before it still waited."
    case .superseded: "It did not run: a later entry took its place."
    case .missed: "It did not run: timelined did not get to it in time."
    case .paused: "It did not run: the job was paused."
    case .excluded: "It does not run: a window or a holiday excludes it."
    case .daylightSavingGap: "It does not run: clocks skip its time that day."
    case .daylightSavingFold:
      "It does not run: clocks show its time twice that day, and it is run the other time."
    case .lowFrequency: "It did not run: timelined was in low-frequency mode."
    case .limited: "It did not run: a limit was reached."
    case .shutDown:
      "It did not run: the daemon was stopping, and of entries that are only counted none is kept."
    }
  }
}

extension OverlapPolicy {
  /// The setting and what it does.
  package var words: String {
    let meaning =
      switch self {
      case .skip: "an entry that falls due while the job still runs is dropped"
      case .bufferOne: "the first entry that falls due while the job still runs waits, the others are dropped"
      case .bufferAll: "entries that fall due while the job still runs wait for their turn"
      case .cancelOther: "an entry that falls due while the job still runs stops that run"
      case .terminateOther: "an entry that falls due while the job still runs kills that run"
      case .allowAll: "an entry that falls due while the job still runs is run beside it"
      }
    return "overlap = \"\(rawValue)\": \(meaning)"
  }
}

extension MissedPolicy {
  /// The setting and what it does.
  package var words: String {
    let meaning =
      switch choice {
      case .latest: "one run for the latest of the missed entries"
      case .all: "missed entries are run one after the other"
      case .skip: "missed entries are not run"
      }
    let bound = window.map { ", unless they are more than \($0) late" } ?? ""
    return "missed = \"\(choice.rawValue)\": \(meaning)\(choice == .skip ? "" : bound)"
  }
}

extension DeliveryPolicy {
  /// The setting and what it does.
  package var words: String {
    switch self {
    case .atMostOnce: "delivery = \"at-most-once\": what may have run is not run again"
    case .atLeastOnce: "delivery = \"at-least-once\": what may not have run is run again, under the same key"
    }
  }
}

extension OverlapPolicy {
  /// The setting and its effect.
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
  /// The setting and its effect.
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
  /// The setting and its effect.
  package var words: String {
    switch self {
    case .atMostOnce: "delivery = \"at-most-once\": what may have run is not run again"
    case .atLeastOnce: "delivery = \"at-least-once\": what may not have run is run again, under the same key"
    }
  }
}

/// State of the claim to an entry.
enum ClaimState: UInt8, Sendable, Hashable {
  /// Granted, or not needed.
  case granted
  /// Requested and not answered yet.
  case asked
  /// Denied.
  case denied
  /// Undecided: the ledger has no answer.
  case unknown

  /// Makes the state for an answer.
  init(_ verdict: ClaimAnswer.Verdict) {
    self =
      switch verdict {
      case .granted: .granted
      case .denied: .denied
      case .unknown: .unknown
      }
  }

  /// Whether the ledger has the claim, or is about to have it. The claim must then be given up when its entry leaves the
  /// timeline.
  var isHeld: Bool { self == .asked || self == .granted }
}

import TimelineCore
import TimelineEngine

/// A claim of one entry of a job.
struct Claim {
  var nominal: WallInstant
  var claimedAt: WallInstant
  /// Number of the boot in which the entry was claimed; 0 if boots cannot be distinguished.
  var boot: Int32
  /// Number of the sync after which the entry may be started; 0 if it may not be started.
  var wait: SyncTracker.Number = 0
  /// Whether the claim belongs in the file.
  var isFiled = false
  /// Cause of the entry's run; `nil` unless the entry is known to wait.
  var cause: RunCause?
  /// Whether the entry waits because an operator requested it when resuming the job.
  var isAskedFor = false

  /// Whether the entry may be started: the claim is written as startable, or is about to be.
  var isStartable: Bool { wait != 0 }

  init(nominal: WallInstant, claimedAt: WallInstant, boot: Int64?) {
    (self.nominal, self.claimedAt) = (nominal, claimedAt)
    self.boot = Int32(truncatingIfNeeded: boot ?? 0)
  }

  /// Appends the claim's line of ``Claims/text(_:)``.
  func append(to text: inout String, _ job: JobName) {
    text += job.text
    for number in [nominal.nanosecondsSinceEpoch, claimedAt.nanosecondsSinceEpoch, Int64(boot)] {
      text += " "
      text += String(number)
    }
    text += isStartable ? " 1" : " 0"
    if let cause { text += " " + (isAskedFor ? Self.askedFor : cause.rawValue) }
    text += "\n"
  }

  /// Sixth word of the line of a waiting entry that an operator requested. For other waiting entries the sixth word is the
  /// cause.
  private static let askedFor = "asked-for"

  /// Reads a line of ``Claims/text(_:)``; `nil` for an invalid line. The sync of number `wait` covers the claim, because the
  /// file is possibly not on the disk yet.
  static func parse(_ line: Substring, before wait: SyncTracker.Number) -> (job: JobName, claim: Claim)? {
    let words = line.split(separator: " ")
    guard words.count == 5 || words.count == 6, let job = JobName(String(words[0])),
      let nominal = Int64(words[1]),
      let claimedAt = Int64(words[2]), let boot = Int64(words[3])
    else { return nil }
    var claim = Claim(
      nominal: WallInstant(nanosecondsSinceEpoch: nominal),
      claimedAt: WallInstant(nanosecondsSinceEpoch: claimedAt), boot: boot)
    (claim.wait, claim.isFiled) = (words[4] != "0" ? wait : 0, true)
    if words.count == 6 {
      claim.isAskedFor = words[5] == askedFor
      claim.cause = claim.isAskedFor ? .missed : RunCause(rawValue: String(words[5]))
      guard claim.cause != nil else { return nil }
    }
    return (job, claim)
  }
}

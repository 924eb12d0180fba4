import TimelineCore
import TimelineEngine

/// One entry of a job that is claimed.
struct Claim {
  var nominal: WallInstant
  var claimedAt: WallInstant
  /// The boot in which that was done; 0 for one that nobody can tell from others.
  var boot: Int32
  /// The number of the wait for the disk after which its entry may be started; 0 for one whose entry may not.
  var wait: SyncTracker.Number = 0
  /// Whether it belongs into the file.
  var isFiled = false
  /// Cause of the entry's run; `nil` unless the entry is known to wait.
  var cause: RunCause?
  /// Whether somebody who resumed the job asked for one that waits.
  var isAskedFor = false

  /// Whether its entry may be started from now on: the claim that says so has been written, or is about to be.
  var isStartable: Bool { wait != 0 }

  init(nominal: WallInstant, claimedAt: WallInstant, boot: Int64?) {
    (self.nominal, self.claimedAt) = (nominal, claimedAt)
    self.boot = Int32(truncatingIfNeeded: boot ?? 0)
  }

  /// Appends its line of ``Claims/text(_:)``.
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

  /// The sixth word of the line of an entry that waits because somebody asked for it; that of others is their cause.
  private static let askedFor = "asked-for"

  /// Reads a line of ``Claims/text(_:)``; `nil` for one that no program of ours has written. What the file says need not be on the
  /// disk yet: a claim is covered by the wait of number `wait`.
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

/// Tracks which written intents are known to be on the disk, and which still need a wait for it.
///
/// Waits are numbered. An intent has the number of the next wait, which begins after the intent was written. The intent counts as on
/// the disk when that wait, or a later one, has succeeded. At most one wait is under way. Intents written meanwhile belong to the next.
///
/// The numbers wrap around, and 0 means no intent. At most two waits are unfinished, so an intent never counts as on the disk too
/// early. One that was left for thousands of waits is at worst waited for once more.
struct SyncTracker {
  typealias Number = UInt16

  /// Number of the next wait, which intents written now get.
  private(set) var next: Number = 1
  /// Number of the last wait that succeeded. Intents up to this number are on the disk.
  private var last: Number = 0
  private(set) var isUnderWay = false
  /// Whether an intent bears the number of the next wait.
  private(set) var isWanted = false

  /// Whether every intent is on the disk.
  var areAllOver: Bool { !isWanted && !isUnderWay }

  func isOnDisk(_ number: Number) -> Bool {
    number != 0 && Int16(bitPattern: last &- number) >= 0
  }

  /// Something is about to be written that bears the number of the next wait.
  mutating func want() { isWanted = true }

  /// A wait begins that covers all that was written.
  mutating func begin() {
    precondition(!isUnderWay, "One wait at a time.")
    (isUnderWay, isWanted) = (true, false)
    next &+= 1
    if next == 0 { next = 1 }
  }

  /// The wait that is under way is over. If it was in vain, all that it was to cover is for the next one.
  mutating func end(isOnDisk: Bool) {
    precondition(isUnderWay, "A wait that ends has begun.")
    isUnderWay = false
    if isOnDisk {
      last = next == 1 ? .max : next - 1
    } else {
      isWanted = true
    }
  }
}

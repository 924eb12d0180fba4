/// Which of the intents that were written the disk is known to have, and which a wait for it is still to cover.
///
/// Waits are numbered. An intent bears the number of the next one, which begins after it was written: it is on the disk when that
/// wait, or a later one, has ended well, and not a moment before. At most one wait is under way, and what is written meanwhile
/// is for the next.
///
/// The numbers go round, and 0 stands for no intent. Since at most two of them are not over, an intent is never taken for one that
/// is on the disk before it is; one that was forgotten for thousands of waits is at worst waited for once more.
struct DiskWaits {
  typealias Number = UInt16

  /// What is written now bears this number.
  private(set) var next: Number = 1
  /// All up to this are on the disk.
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

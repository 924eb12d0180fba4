/// Tracks which written claims are known to be on the disk, and which still need a wait for it.
///
/// Waits are numbered. A claim has the number of the next wait, which begins after the claim was written. The claim counts as on
/// the disk when that wait, or a later one, has succeeded. At most one wait is under way. Claims written meanwhile belong to the next.
///
/// The numbers wrap around, and 0 means none. At most two waits are unfinished, so a claim never counts as on the disk too
/// early. One that was left for thousands of waits is at worst waited for once more.
struct SyncTracker {
  typealias Number = UInt16

  /// Number of the next wait, which claims written now get.
  private(set) var next: Number = 1
  /// Number of the last wait that succeeded. Claims up to this number are on the disk.
  private var last: Number = 0
  private(set) var isUnderWay = false
  /// Whether a claim bears the number of the next wait.
  private(set) var isWanted = false

  /// Whether every claim is on the disk.
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

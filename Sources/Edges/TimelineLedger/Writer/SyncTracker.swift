/// Tracks which written claims are on the disk, and which still need a sync.
///
/// Syncs are numbered. A claim has the number of the next sync, which begins after the claim was written. The claim is on the
/// disk after this sync, or a later one, has succeeded. At most one sync is active. Claims written during a sync belong to the
/// next sync.
///
/// The numbers wrap around, and 0 means none. At most two syncs are unfinished, so a claim never counts as on the disk too early.
/// A claim that is thousands of syncs old at worst causes one more sync.
struct SyncTracker {
  typealias Number = UInt16

  /// Number of the next sync, which claims written now get.
  private(set) var next: Number = 1
  /// Number of the last sync that succeeded. Claims up to this number are on the disk.
  private var last: Number = 0
  private(set) var isUnderWay = false
  /// Whether a claim has the number of the next sync.
  private(set) var isWanted = false

  /// Whether every claim is on the disk.
  var areAllOver: Bool { !isWanted && !isUnderWay }

  func isOnDisk(_ number: Number) -> Bool {
    number != 0 && Int16(bitPattern: last &- number) >= 0
  }

  /// Records that a claim with the number of the next sync is about to be written.
  mutating func want() { isWanted = true }

  /// Begins a sync that covers all that was written.
  mutating func begin() {
    precondition(!isUnderWay, "One wait at a time.")
    (isUnderWay, isWanted) = (true, false)
    next &+= 1
    if next == 0 { next = 1 }
  }

  /// Ends the active sync. If it failed, the next sync must cover the same claims.
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

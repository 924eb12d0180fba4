/// Index from names to positions in an array that the caller keeps: five to nine bytes for each, without a second
/// copy of the names.
///
/// An open hash table of positions. The caller compares the thing at a position with the one it wants. A byte of each
/// hash is kept beside the position, so that the caller hardly ever compares another thing than the one it wants.
package struct PlaceTable: Sendable {
  /// One more than a place in the lower 24 bits and a byte of its hash above, or 0 for none; a power of two, at most seven eighths
  /// of them taken.
  private var slots: [UInt32]
  private var count = 0

  /// More places than there are.
  private static let placeMax = 1 << 24 - 2

  /// Makes a table with room for so many places.
  package init(makingRoomFor count: Int = 0) {
    var size = 8
    while size / 8 * 7 < count { size *= 2 }
    slots = Array(repeating: 0, count: size)
  }

  /// The place of a thing with this hash that `isMeant` tells from the others; `nil` when there is none.
  package func place(hash: Int, where isMeant: (Int) -> Bool) -> Int? {
    let mask = slots.count - 1
    let mark = Self.mark(of: hash)
    var slot = hash & mask
    while slots[slot] != 0 {
      if slots[slot] & 0xFF00_0000 == mark {
        let place = Int(slots[slot] & 0xFF_FFFF) - 1
        if isMeant(place) { return place }
      }
      slot = (slot + 1) & mask
    }
    return nil
  }

  /// Adds the thing at `place`, which is not in the table; `hash` gives the hash of the thing at any place. There may be some
  /// sixteen million.
  package mutating func insert(_ place: Int, hash: (Int) -> Int) {
    precondition(place <= Self.placeMax, "a place has 24 bits")
    count += 1
    if slots.count / 8 * 7 < count {
      let former = slots
      slots = Array(repeating: 0, count: slots.count * 2)
      for slot in former where slot != 0 { put(slot, hash(Int(slot & 0xFF_FFFF) - 1)) }
    }
    let hash = hash(place)
    put(UInt32(place) + 1 | Self.mark(of: hash), hash)
  }

  private mutating func put(_ value: UInt32, _ hash: Int) {
    let mask = slots.count - 1
    var slot = hash & mask
    while slots[slot] != 0 { slot = (slot + 1) & mask }
    slots[slot] = value
  }

  /// The upper byte of a hash, of which the lower ones choose the slot.
  private static func mark(of hash: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: UInt(bitPattern: hash) >> 32) & 0xFF00_0000
  }
}

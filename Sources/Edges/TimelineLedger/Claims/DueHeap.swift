import TimelineCore

/// Entries by due time, the first at the top: a binary heap in an array.
struct DueHeap {
  /// An entry of a job.
  struct Item {
    let nominal: WallInstant
    let job: Int
  }

  private var items: [Item] = []

  mutating func reserve(_ count: Int) { items.reserveCapacity(count) }

  var first: Item? { items.first }
  var count: Int { items.count }

  mutating func insert(_ item: Item) {
    items.append(item)
    var child = items.count - 1
    while child > 0, items[child].nominal < items[(child - 1) / 2].nominal {
      items.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Removes and returns the first item if it is not due after `horizon`.
  mutating func removeFirst(through horizon: WallInstant) -> Item? {
    guard let item = items.first, item.nominal <= horizon else { return nil }
    items.swapAt(0, items.count - 1)
    items.removeLast()
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < items.count && items[child].nominal < items[least].nominal {
        least = child
      }
      guard least != parent else { return item }
      items.swapAt(parent, least)
      parent = least
    }
  }

  mutating func keep(_ isWanted: (Item) -> Bool) {
    let kept = items.filter(isWanted)
    items.removeAll()
    for item in kept { insert(item) }
  }
}

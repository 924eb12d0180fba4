import TimelineCore

/// An indexed 4-ary heap. It stores the position of each owner's deadline, so that a deadline can be moved or removed.
struct DeadlineHeap: Sendable {
  /// A deadline with everything that determines its order: 24 bytes.
  struct Node: Sendable {
    let deadline: WallInstant
    /// Sort key: runs before entries, then the tie break, then the index of the job.
    let key: UInt64
    let owner: Owner

    init(deadline: WallInstant, tie: TieBreak, order: Int, owner: Owner) {
      self.deadline = deadline
      self.owner = owner
      key = (owner.isRun ? 0 : 1 << 63) | UInt64(tie.rank) << 32 | UInt64(UInt32(truncatingIfNeeded: order))
    }

    func precedes(_ other: Node) -> Bool {
      if deadline != other.deadline { return deadline < other.deadline }
      return key == other.key ? owner.bits < other.owner.bits : key < other.key
    }
  }

  /// Owner of a deadline in 32 bits. A run's slot has the highest bit set.
  struct Owner: Sendable {
    fileprivate let bits: UInt32

    init(_ handle: DeadlineHandle) {
      bits = UInt32(handle.index) | (handle.isRun ? 1 << 31 : 0)
    }

    var isRun: Bool { bits >> 31 == 1 }
    var index: Int { Int(bits & ~(1 << 31)) }
    var handle: DeadlineHandle { DeadlineHandle(isRun: isRun, index: index) }
  }

  private var nodes: [Node] = []
  /// Position of the deadline of each job and of each run slot; -1 for none.
  private var entryPositions: [Int32] = []
  private var runPositions: [Int32] = []

  var count: Int { nodes.count }

  var first: Node? { nodes.first }

  mutating func reserve(_ count: Int) {
    nodes.reserveCapacity(count)
    entryPositions.reserveCapacity(count)
  }

  func deadline(of owner: Owner) -> WallInstant? { position(of: owner).map { nodes[$0].deadline } }

  /// Inserts a deadline, or replaces the former deadline of its owner.
  mutating func set(_ node: Node) {
    if let position = position(of: node.owner) {
      return replace(position, by: node)
    }
    precondition(nodes.count < EngineLimits.deadlinesMax)
    if node.owner.isRun {
      while runPositions.count <= node.owner.index { runPositions.append(-1) }
    } else {
      while entryPositions.count <= node.owner.index { entryPositions.append(-1) }
    }
    nodes.append(node)
    Self.rise(node, from: nodes.count - 1, &nodes, &entryPositions, &runPositions)
  }

  mutating func remove(_ owner: Owner) {
    guard let position = position(of: owner), let last = nodes.popLast() else { return }
    if owner.isRun { runPositions[owner.index] = -1 } else { entryPositions[owner.index] = -1 }
    guard position < nodes.count else { return }
    replace(position, by: last)
  }

  /// Returns the number of entries, not runs, at the earliest instant, at most `limit`. These entries are at the top of the
  /// tree, because all nodes below a later node are later, too.
  func entryCountOfFirst(atMost limit: Int) -> Int {
    guard let earliest = first?.deadline else { return 0 }
    var (count, open) = (0, [0])
    while let position = open.popLast(), count < limit {
      if !nodes[position].owner.isRun { count += 1 }
      let child = min(4 * position + 1, nodes.count)
      open += (child..<min(child + 4, nodes.count)).filter { nodes[$0].deadline == earliest }
    }
    return count
  }

  private mutating func replace(_ position: Int, by node: Node) {
    if node.precedes(nodes[position]) {
      Self.rise(node, from: position, &nodes, &entryPositions, &runPositions)
    } else {
      Self.sink(node, from: position, &nodes, &entryPositions, &runPositions)
    }
  }

  // Both functions use spans: an array would check at each step whether it is shared.

  private static func rise(
    _ node: Node, from start: Int, _ nodeArray: inout [Node], _ entryArray: inout [Int32],
    _ runArray: inout [Int32]
  ) {
    var nodes = nodeArray.mutableSpan
    var entries = entryArray.mutableSpan
    var runs = runArray.mutableSpan
    var position = start
    while position > 0 {
      let parent = (position - 1) / 4
      guard node.precedes(nodes[parent]) else { break }
      place(nodes[parent], at: position, &nodes, &entries, &runs)
      position = parent
    }
    place(node, at: position, &nodes, &entries, &runs)
  }

  private static func sink(
    _ node: Node, from start: Int, _ nodeArray: inout [Node], _ entryArray: inout [Int32],
    _ runArray: inout [Int32]
  ) {
    var nodes = nodeArray.mutableSpan
    var entries = entryArray.mutableSpan
    var runs = runArray.mutableSpan
    var position = start
    while true {
      var child = 4 * position + 1
      let end = min(child + 4, nodes.count)
      guard child < end else { break }
      var (least, earliest) = (child, nodes[child].deadline)
      child += 1
      while child < end {
        let deadline = nodes[child].deadline
        // Nearly all deadlines differ, and comparing only the deadlines is half of the work.
        if deadline < earliest || deadline == earliest && nodes[child].precedes(nodes[least]) {
          (least, earliest) = (child, deadline)
        }
        child += 1
      }
      guard nodes[least].precedes(node) else { break }
      place(nodes[least], at: position, &nodes, &entries, &runs)
      position = least
    }
    place(node, at: position, &nodes, &entries, &runs)
  }

  private static func place(
    _ node: Node, at position: Int, _ nodes: inout MutableSpan<Node>, _ entries: inout MutableSpan<Int32>,
    _ runs: inout MutableSpan<Int32>
  ) {
    nodes[position] = node
    if node.owner.isRun {
      runs[node.owner.index] = Int32(truncatingIfNeeded: position)
    } else {
      entries[node.owner.index] = Int32(truncatingIfNeeded: position)
    }
  }

  private func position(of owner: Owner) -> Int? {
    let position: Int32
    if owner.isRun {
      guard owner.index < runPositions.count else { return nil }
      position = runPositions[owner.index]
    } else {
      guard owner.index < entryPositions.count else { return nil }
      position = entryPositions[owner.index]
    }
    return position < 0 ? nil : Int(position)
  }
}

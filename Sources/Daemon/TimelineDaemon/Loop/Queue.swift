/// First-in, first-out queue.
struct Queue<Element> {
  private var elements: [Element] = []
  private var head = 0

  var count: Int { elements.count - head }

  /// Adds an element.
  mutating func append(_ element: Element) { elements.append(element) }

  /// Inserts an element after the last one that `isEarlier`, or before all others.
  mutating func insert(_ element: Element, afterLast isEarlier: (Element) -> Bool) {
    let place = elements[head...].lastIndex(where: isEarlier).map { $0 + 1 } ?? head
    elements.insert(element, at: place)
  }

  /// The oldest element; `nil` if there is none.
  var first: Element? { head < elements.count ? elements[head] : nil }

  /// Removes and returns the oldest element; `nil` if there is none.
  mutating func popFirst() -> Element? {
    guard head < elements.count else { return nil }
    defer {
      head += 1
      if head == elements.count {
        elements.removeAll(keepingCapacity: head <= 1_000)
        head = 0
      }
    }
    return elements[head]
  }
}

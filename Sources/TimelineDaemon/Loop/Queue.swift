/// First-in, first-out queue.
struct Queue<Element> {
  private var elements: [Element] = []
  private var head = 0

  var count: Int { elements.count - head }

  /// Adds an element.
  mutating func append(_ element: Element) { elements.append(element) }

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

extension Sequence {
  /// Returns the elements in ascending order of a key.
  ///
  /// For lists that are short or rarely sorted. Each call of the standard library's `sorted(by:)` is compiled into 2.5 kB of its own. This
  /// function is compiled once, for elements of any type, and sorts some twenty times slower.
  @export(interface)
  package func sorted<Key: Comparable>(on key: (Element) -> Key) -> [Element] {
    sorted { key($0) < key($1) }
  }
}

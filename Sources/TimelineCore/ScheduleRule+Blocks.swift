extension ScheduleRule {
  /// Appends the entries from `first`, which must be one, through `end` as far as there is room, and gives the first
  /// one that it did not append: `nil` when there is none any more.
  ///
  /// What it gives lies after `end` unless `buffer` is full. Walking on from it asks nothing twice.
  public func append(
    from first: WallInstant, through end: WallInstant, to buffer: inout OutputSpan<WallInstant>
  ) -> WallInstant? {
    var entry = first
    while entry <= end, !buffer.isFull {
      buffer.append(entry)
      guard let next = next(after: entry) else { return nil }
      entry = next
    }
    return entry
  }
}

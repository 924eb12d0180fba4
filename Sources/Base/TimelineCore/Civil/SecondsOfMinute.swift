/// The instants of a minute that a calendar rule names, in microseconds from its start; never empty.
enum SecondsOfMinute: Sendable {
  /// `count` instants, `step` apart, from `first` on.
  case progression(first: Int, step: Int, count: Int)
  /// Any instants, ascending, at least two.
  case list([Int])

  /// The maximum length of a list: one element for each millisecond. Lists of several elements are expanded. A list
  /// with a finer step would need a megabyte.
  static let listCountMax = 60_000

  /// The length of a minute, in microseconds.
  static let minute = 60_000_000

  /// Makes the instants that the elements of a list name. The elements must be within their bounds, and several
  /// elements must name at most ``listCountMax`` instants; see ``count(of:)``.
  init(_ components: [CalendarComponent]) {
    if components.count == 1 {
      let count = Self.count(of: components)
      self = .progression(first: components[0].start, step: max(components[0].step, 1), count: count)
    } else {
      self = .list(Set(components.flatMap { Array($0.numbers(through: Self.minute - 1)) }).sorted())
    }
  }

  /// Returns the number of instants that the elements name, each counted as often as it is named.
  static func count(of components: [CalendarComponent]) -> Int {
    components.reduce(0) { total, component in
      let stop = component.step == 0 ? component.start : component.stop ?? minute - 1
      return total + (stop - component.start) / max(component.step, 1) + 1
    }
  }

  var count: Int {
    switch self {
    case .progression(_, _, let count): count
    case .list(let all): all.count
    }
  }

  /// The instant at an index from 0, which must exist.
  subscript(index: Int) -> Int {
    switch self {
    case .progression(let first, let step, _): first + index * step
    case .list(let all): all[index]
    }
  }

  /// Returns the number of instants earlier than `microsecond`, which is from 0 to a minute.
  func count(before microsecond: Int) -> Int {
    switch self {
    case .progression(let first, let step, let count):
      return microsecond <= first ? 0 : min(count, (microsecond - first - 1) / step + 1)
    case .list(let all):
      var (low, high) = (0, all.count)
      while low < high {
        let middle = (low + high) / 2
        if all[middle] < microsecond { low = middle + 1 } else { high = middle }
      }
      return low
    }
  }

  /// All instants, bit n for second n; 0 if one is not a whole second.
  var wholeSeconds: UInt64 {
    guard count <= 60 else { return 0 }
    return (0..<count).reduce(0 as UInt64?) { bits, index in
      guard let bits, self[index] % 1_000_000 == 0 else { return nil }
      return bits | 1 << UInt64(self[index] / 1_000_000)
    } ?? 0
  }

  /// The shortest time between two neighbors; a minute if there is only one instant.
  var shortestGap: Int {
    switch self {
    case .progression(_, let step, let count): count > 1 ? step : Self.minute
    case .list(let all): zip(all, all.dropFirst()).map { $1 - $0 }.min() ?? Self.minute
    }
  }

  /// The time from the last instant to the first of the next minute.
  var gapToNextMinute: Int { Self.minute - self[count - 1] + self[0] }
}

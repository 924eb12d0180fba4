/// A named set of days, such as the public holidays of a place. Each day can have a label.
public struct HolidayList: Sendable, Hashable {
  /// The name of the list in a configuration.
  public let name: String
  /// Days since 1970-01-01, strictly ascending.
  let days: [Int]
  /// The label of each of ``days``; may be empty.
  let labels: [String]

  /// The maximum number of days: more than ten years of a calendar in which every day is a holiday. All days are kept
  /// in memory.
  public static let dayCountMax = 4_096

  /// Makes a list of dates in any order; a date given twice counts once, and dates beyond ``dayCountMax`` are
  /// ignored.
  public init(name: String, dates: [CivilDate]) {
    self.init(name: name, days: dates.map { ($0.daysSinceEpoch, "") })
  }

  init(name: String, days: [(day: Int, label: String)]) {
    self.name = name
    var unique: [Int: String] = [:]
    for (day, label) in days
    where unique[day, default: ""].isEmpty && (unique[day] != nil || unique.count < Self.dayCountMax) {
      unique[day] = label
    }
    let sorted = unique.sorted { $0.key < $1.key }
    self.days = sorted.map(\.key)
    self.labels = sorted.map(\.value)
  }

  /// The dates, ascending.
  public var dates: [CivilDate] { days.map { CivilDate(uncheckedDaysSinceEpoch: $0) } }

  /// Returns the index of a day; `nil` if the list does not have it.
  func index(of day: Int) -> Int? {
    let rank = rank(of: day)
    return rank < days.count && days[rank] == day ? rank : nil
  }

  /// The first day of the list from `day` on.
  func first(from day: Int) -> Int? {
    let rank = rank(of: day)
    return rank < days.count ? days[rank] : nil
  }

  /// The last day of the list up to `day`.
  func last(upTo day: Int) -> Int? {
    let rank = rank(of: day + 1)
    return rank > 0 ? days[rank - 1] : nil
  }

  /// Returns the number of days earlier than `day`.
  private func rank(of day: Int) -> Int {
    var (low, high) = (0, days.count)
    while low < high {
      let middle = (low + high) / 2
      if days[middle] < day { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

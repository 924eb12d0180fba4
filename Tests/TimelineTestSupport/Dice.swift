/// The decisions of a simulated life: drawn from a seed, or written down.
///
/// Each draw has a label, by which a written life names it, and a quiet value, which it has where the written life has no decision:
/// nothing happens, a number is the lowest, the first of some is taken. The draws of a seed are those of ``SeededGenerator``.
package struct Dice {
  /// The seed, for values that are computed from it.
  package let seed: UInt64
  private var generator: SeededGenerator
  /// Only for lives that are written or recorded; the others skip it for speed.
  private let book: DecisionRecord?

  /// Makes the dice of a seed, with a record of what they decide if `isRecorded`.
  package init(seed: UInt64, isRecorded: Bool = false) {
    self.seed = seed
    generator = SeededGenerator(seed: seed)
    book = isRecorded ? DecisionRecord(replaying: nil) : nil
    if seed != 0 { book?.note("seed", "\(seed)") }
  }

  /// Makes the dice of a written life.
  package init(replaying life: WrittenLife) {
    let book = DecisionRecord(replaying: life)
    let place = WrittenLife.Decision.Place(.start, "seed")
    seed = book.value(at: place) { UInt64($0) } ?? 0
    generator = SeededGenerator(seed: seed)
    self.book = book
    if seed != 0 { book.note("seed", "\(seed)") }
  }

  /// The decisions so far; `nil` without a record.
  package var life: WrittenLife? { book.map { WrittenLife($0.record) } }

  /// Values of the written life that do not fit their draws, and decisions that no draw asked for, with file and line.
  package var complaints: [String] { book?.complaints ?? [] }

  /// Begins a section of the life.
  package func enter(_ section: LifeSection) { book?.section = section }

  private mutating func decide<Value: Equatable>(
    _ label: StaticString, quietly quiet: Value, _ draw: (inout SeededGenerator) -> Value,
    text: (Value) -> String, parse: (String) -> Value?
  ) -> Value {
    guard let book else { return draw(&generator) }
    let place = book.place(label)
    let value = book.isReplayed ? book.value(at: place, parse) ?? quiet : draw(&generator)
    if value != quiet { book.note(place, text(value)) }
    return value
  }

  private mutating func decide(
    _ label: StaticString, quietly quiet: Bool, _ draw: (inout SeededGenerator) -> Bool
  ) -> Bool {
    decide(
      label, quietly: quiet, draw, text: { $0 ? "yes" : "no" },
      parse: { ["yes": true, "no": false][$0] })
  }

  /// Whether an event with a probability of `percent` happens.
  package mutating func happens(percent: Int, quietly quiet: Bool = false, _ label: StaticString) -> Bool {
    guard book != nil else { return Int.random(in: 0..<100, using: &generator) < percent }
    return decide(label, quietly: quiet) { Int.random(in: 0..<100, using: &$0) < percent }
  }

  /// Whether an event with a probability of one in `count` happens.
  package mutating func happens(oneIn count: Int, _ label: StaticString) -> Bool {
    decide(label, quietly: false) { Int.random(in: 0..<count, using: &$0) == 0 }
  }

  /// The same by a remainder, as the first simulations drew it: their seeds keep their lives.
  package mutating func happens(byRemainderOf count: UInt64, _ label: StaticString) -> Bool {
    decide(label, quietly: false) { $0.next() % count == 0 }
  }

  /// A fact of a life that is not drawn, for example the test's own choice.
  package mutating func fact(_ value: Bool, _ label: StaticString) -> Bool {
    decide(label, quietly: false) { _ in value }
  }

  /// A number of a range; the quiet one is its lowest unless another is given.
  package mutating func number(
    in range: ClosedRange<Int64>, quietly quiet: Int64? = nil, _ label: StaticString
  ) -> Int64 {
    guard book != nil else { return Int64.random(in: range, using: &generator) }
    return decide(
      label, quietly: quiet ?? range.lowerBound, { Int64.random(in: range, using: &$0) }, text: { "\($0)" },
      parse: { Int64($0).flatMap { range.contains($0) ? $0 : nil } })
  }

  /// A place in a list, named by the element there; the quiet one is the first unless another is given.
  package mutating func place<Element>(
    in list: [Element], quietly quiet: Int = 0, _ label: StaticString,
    named name: (Element) -> String = { "\($0)" }
  ) -> Int? {
    if list.isEmpty { return nil }
    guard book != nil else { return Int.random(in: 0..<list.count, using: &generator) }
    // Equal words are one decision: the first of them.
    let words = list.map(name)
    let first = words.map { words.firstIndex(of: $0) ?? 0 }
    return decide(
      label, quietly: first[quiet], { first[Int.random(in: 0..<list.count, using: &$0)] },
      text: { words[$0] }, parse: { words.firstIndex(of: $0) })
  }

  /// An element of a list, named by its description; the quiet one is the first unless another is given.
  package mutating func element<Element>(
    of list: [Element], quietly quiet: Int = 0, _ label: StaticString
  ) -> Element? {
    place(in: list, quietly: quiet, label).map { list[$0] }
  }

  /// The same by a remainder, as the first simulations drew it.
  package mutating func element(byRemainder list: [String], _ label: StaticString) -> String {
    decide(
      label, quietly: list[0], { list[Int($0.next() % UInt64(list.count))] }, text: { $0 },
      parse: { list.contains($0) ? $0 : nil })
  }

  /// Shuffles a list; quietly it stays as it is.
  package mutating func shuffle<Element>(_ list: inout [Element], _ label: StaticString) {
    guard book != nil else { return list.shuffle(using: &generator) }
    let places = Array(list.indices)
    let order = decide(
      label, quietly: places, { places.shuffled(using: &$0) },
      text: { $0.map { "\($0)" }.joined(separator: " ") },
      parse: { text in
        let order = text.split(separator: " ").compactMap { Int($0) }
        return order.sorted() == places ? order : nil
      })
    list = order.map { list[$0] }
  }

  /// A number that identifies something and decides nothing: a written life has those of its seed.
  package mutating func identity() -> UInt64 { generator.next() }
}

/// The record of a life, and the written decisions that it follows.
private final class DecisionRecord {
  /// The label of a section, whose draws are counted.
  private struct Label: Hashable {
    let section: LifeSection
    let text: String
  }

  var section = LifeSection.start
  private(set) var record: [WrittenLife.Decision] = []
  let isReplayed: Bool
  private var written: [WrittenLife.Decision.Place: WrittenLife.Decision] = [:]
  private var misfits: [String] = []
  private var counts: [Label: Int] = [:]

  init(replaying life: WrittenLife?) {
    isReplayed = life != nil
    for decision in life?.decisions ?? [] { written[decision.place] = decision }
  }

  /// The place of the next draw with this label.
  func place(_ label: StaticString) -> WrittenLife.Decision.Place {
    let text = label.description
    counts[Label(section: section, text: text), default: 0] += 1
    return WrittenLife.Decision.Place(section, text, counts[Label(section: section, text: text)] ?? 1)
  }

  /// The written value of a draw; `nil` for none, or for one that does not fit.
  func value<Value>(at place: WrittenLife.Decision.Place, _ parse: (String) -> Value?) -> Value? {
    guard let decision = written.removeValue(forKey: place) else { return nil }
    let value = parse(decision.value)
    if value == nil { misfits.append("\(decision.origin): \(place.text) cannot be \(decision.value)") }
    return value
  }

  func note(_ place: WrittenLife.Decision.Place, _ value: String) {
    record.append(WrittenLife.Decision(place, value))
  }

  func note(_ label: String, _ value: String) {
    note(WrittenLife.Decision.Place(.start, label), value)
  }

  var complaints: [String] {
    misfits
      + WrittenLife(Array(written.values)).decisions.map { decision in
        "\(decision.origin): nothing asks for \(decision.place.text) in \(decision.place.section.text)"
      }
  }
}

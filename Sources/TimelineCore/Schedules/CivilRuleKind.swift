/// A kind of rule that names dates and times on the clocks of a zone. Its search handles clock changes.
protocol CivilRuleKind: RuleKind {
  associatedtype Rule: CivilRule

  var search: CivilSearch<Rule> { get }

  /// The rule as a sentence without a full stop, without its zone.
  var words: String { get }

  /// The rule in the canonical form of its language.
  var canonicalForm: String { get }
}

extension CivilRuleKind {
  var undescribedParts: [String] { search.daylightSaving.parts }
  var mayOmit: Bool { search.mayOmit }

  func omissions(after start: WallInstant, through end: WallInstant) -> [Omission] {
    search.omissions(after: start, through: end)
  }

  func emptyDay(after start: WallInstant, through end: WallInstant) -> ClockChangeEffect? {
    search.emptyDay(after: start, through: end)
  }

  func explanation(
    after start: WallInstant, through end: WallInstant, on clocks: Zone
  ) -> ScheduleExplanation {
    ScheduleExplanation(
      words: "\(words), in \(search.zone.name)", canonicalForm: canonicalForm,
      daylightSaving: search.policyWords, changes: search.effects(after: start, through: end))
  }
}

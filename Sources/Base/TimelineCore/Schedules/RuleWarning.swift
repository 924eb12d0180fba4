/// A valid part of a rule that probably differs from the intent.
public struct RuleWarning: Sendable, Hashable {
  /// The place of the part in the text of the rule, in bytes from 0.
  public var offset: Int
  /// The length of the part in bytes.
  public var length: Int
  /// The meaning of the part, as a clause.
  public var message: String
  /// The effect of the whole rule and the text to write instead, one sentence each.
  public var help: [String]
}

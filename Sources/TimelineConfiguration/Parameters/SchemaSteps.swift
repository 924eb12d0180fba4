/// The work that a check of parameters may still do, in steps of some ten nanoseconds.
///
/// The author of a schema is a plugin, which may belong to a user with fewer rights than the program that checks. The limits on the parts
/// of a schema bound each part; their product is hours. So the whole check has one bound, and all of its parts count down from it.
struct SchemaSteps {
  /// Steps for the parameters of one job: a script of 64 KiB, held against the schema of `exec`, takes a tenth.
  static let perJobMax = 4_000_000
  /// Steps for all jobs of a plugin: a second or so. One job that takes too many leaves enough for the others. Parameters of some
  /// hundred bytes take a tenth of what each job adds.
  static func perPluginMax(jobCount: Int) -> Int { 4 * perJobMax + 10_000 * jobCount }
  /// Steps for each comparison of a value with a schema, at least.
  static let perValue = 16

  private(set) var left: Int

  /// Whether the check is to end without a result.
  var isSpent: Bool { left <= 0 }

  /// Counts steps that are about to be taken; whether any are left then.
  mutating func take(_ count: Int = 1) -> Bool {
    left -= min(count, left)
    return left > 0
  }
}

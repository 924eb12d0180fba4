/// Remaining work for a check of parameters, in steps of about 10 ns.
///
/// A schema comes from a plugin, which may belong to a user with fewer rights than the checking program. Each part of
/// a schema is limited, but the product of these limits would be hours. So all parts of the check count down from one
/// limit.
struct SchemaSteps {
  /// Steps for the parameters of one job. A check of a script of 64 KiB against the schema of `exec` takes a tenth of
  /// them.
  static let perJobMax = 4_000_000
  /// Steps for all jobs of a plugin: about a second. One job that takes too many steps leaves enough for the others.
  /// Parameters of some hundred bytes take a tenth of the steps that each job adds.
  static func perPluginMax(jobCount: Int) -> Int { 4 * perJobMax + 10_000 * jobCount }
  /// Minimum of steps for each comparison of a value with a schema.
  static let perValue = 16

  private(set) var left: Int

  /// Whether no steps are left. The check then ends without a result.
  var isSpent: Bool { left <= 0 }

  /// Counts `count` steps before they are taken. Returns whether steps are left after them.
  mutating func take(_ count: Int = 1) -> Bool {
    left -= min(count, left)
    return left > 0
  }
}

import TimelineConfiguration
import TimelineCore

/// A configuration file with jobs. Values in common to all jobs are in `[defaults]`.
package struct ImportedFile: Sendable, Equatable {
  /// Lines at the beginning, without `#`.
  package var heading: [String]
  /// In the order of the sources.
  package var jobs: [ImportedJob] = []
  /// Comments after the last job, without `#`.
  var closing: [String] = []

  package init(heading: [String]) {
    self.heading = heading
  }

  /// Returns the line that names the sources. Many sources are only counted, because the comment above each job names
  /// its source.
  static func origin(_ sources: [String], noun: String, command: String) -> String {
    let shownMax = 4
    let names = sources.count > shownMax ? "\(sources.count) \(noun)" : sources.joined(separator: ", ")
    return "Imported from \(names) by timelinectl import \(command)."
  }

  /// Returns the file as TOML. `schema` is the address of the file's schema, for editors.
  package func text(schema: String) -> String {
    let shared = sharedValues
    let environment = sharedEnvironment
    var text = "#:schema \(schema)\n" + Self.comments(heading)
    let defaults = Self.lines(
      of: shared, environment, keys: ImportedJob.sharedKeys + ImportedJob.reactionKeys)
    if !defaults.isEmpty { text += "\n[defaults]\n" + defaults }
    for job in jobs {
      let own = job.values.filter { shared[$0.key] != $0.value }
      let variables = job.environment.filter { environment[$0.key] != $0.value }
      text += "\n" + Self.comments(job.comments) + "[job.\(TOMLText.key(job.name))]\n"
      text += Self.lines(of: own, variables, keys: ImportedJob.orderedKeys)
    }
    return closing.isEmpty ? text : text + "\n" + Self.comments(closing)
  }

  /// Returns the configuration of a single job.
  static func text(of job: ImportedJob) -> String {
    "[job.\(TOMLText.key(job.name))]\n"
      + lines(of: job.values, job.environment, keys: ImportedJob.orderedKeys)
  }

  private static func lines(
    of values: [String: String], _ environment: [String: String], keys: [String]
  ) -> String {
    var values = values
    if !environment.isEmpty {
      values["environment"] = TOMLText.table(
        environment.sorted(on: \.key).map { ($0.key, TOMLText.string($0.value)) })
    }
    let shown = keys.compactMap { key in values[key].map { (key, $0) } }
    let width = shown.map(\.0.count).max() ?? 0
    return shown.map { key, value in
      key + String(repeating: " ", count: width - key.count) + " = \(value)\n"
    }.joined()
  }

  /// Values in common to all jobs except reactions, if there are at least two such jobs. User and group are included
  /// only if reactions have the same, because a reaction would otherwise run as another user.
  private var sharedValues: [String: String] {
    let main = jobs.filter { !$0.isReaction }
    guard main.count > 1, let first = main.first else { return [:] }
    // A reaction must not react to another reaction. A single reaction may inherit the key: the key names it, and so
    // has no effect on it.
    let hasOneReaction = jobs.count == main.count + 1
    return first.values.filter { key, value in
      (ImportedJob.sharedKeys.contains(key) || key == "on-output" && hasOneReaction)
        && main.allSatisfy { $0.values[key] == value }
        && (!["user", "group"].contains(key) || jobs.allSatisfy { $0.values[key] == value })
    }
  }

  private var sharedEnvironment: [String: String] {
    let main = jobs.filter { !$0.isReaction }
    guard main.count > 1, let first = main.first else { return [:] }
    return first.environment.filter { name, value in main.allSatisfy { $0.environment[name] == value } }
  }

  /// Returns the lines as comments, without characters that TOML does not allow in a comment.
  private static func comments(_ lines: [String]) -> String {
    lines.map { line in
      let scalars = line.unicodeScalars.map { scalar in
        scalar.value < 0x20 && scalar != "\t" || (0x7F...0x9F).contains(scalar.value) ? "?" : scalar
      }
      let text = String(String.UnicodeScalarView(scalars))
      return text.isEmpty ? "\n" : "# \(text)\n"
    }.joined()
  }
}

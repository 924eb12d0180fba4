/// Rules of the daemon's owners.
enum DaemonOwners {
  /// The file that makes the owners and connects them.
  static let rootFile = "Sources/Daemon/TimelineDaemon/Loop/Daemon.swift"
  /// Directories whose classes own facts.
  private static let directories = ["Cluster", "Cron", "Loop", "Mode", "Operators", "Reload", "Runs"]
  /// Directory of a class that has constants only, because it changes nothing.
  static let answers = "Sources/Daemon/TimelineDaemon/Answers/"

  /// The files of the owners, without ``rootFile``.
  static func files(in tree: SourceTree) -> [SourceFile] {
    tree.swiftSources.filter { file in
      file.path != rootFile
        && directories.contains { file.path.hasPrefix("Sources/Daemon/TimelineDaemon/\($0)/") }
    }
  }
}

extension Rule {
  /// Each fact has one owner, which a reader finds by its name.
  static let daemonOwners = Rule(
    name: "Facts of the daemon are private to one owner each, and Daemon is one file"
  ) {
    tree in
    let opening = try Pattern(#"^(?:\w+[ ]+)*extension[ ]+Daemon\b"#)
    let daemon = try Pattern(#"(?<![\w.])Daemon\b(?!\.)"#)
    let extensions = tree.swiftSources.filter { $0.path != DaemonOwners.rootFile }.flatMap { file in
      opening.violations(in: file) { _ in "Daemon is extended in its own file only: give this to an owner" }
    }
    let owners = DaemonOwners.files(in: tree)
    let holders = owners.flatMap { file in
      daemon.violations(in: file) { _ in
        "an owner does not reach through Daemon: pass what it needs, or a closure"
      }
    }
    let answers = tree.swiftSources.filter { $0.path.hasPrefix(DaemonOwners.answers) }
    let values = try valuesOfLowerTargets(in: tree)
    let open =
      try owners.flatMap { try openProperties(of: $0) { values.contains($0) } }
      + answers.flatMap { try openProperties(of: $0) { _ in true } }
      + tree.swiftSources.filter { $0.path == DaemonOwners.rootFile }
      .flatMap { try openProperties(of: $0) { _ in true } }
    return try extensions + holders + open + readThroughAnswers(in: tree)
  }

  /// Returns the places that read an owner through the answers, which have it for themselves.
  private static func readThroughAnswers(in tree: SourceTree) throws -> [Violation] {
    let constant = try Pattern(#"^  let[ ]+(\w+)[^\n{]*$"#)
    let isAnswers = { (file: SourceFile) in file.path.hasPrefix(DaemonOwners.answers) }
    let names = tree.swiftSources.filter(isAnswers).flatMap { file in
      constant.matches(in: file.code).map { $0.groups[1] }
    }
    if names.isEmpty { return [] }
    let reading = try Pattern(#"\banswers\.(?:\#(names.joined(separator: "|")))\b(?!\()"#)
    return tree.swiftSources.filter { !isAnswers($0) }.flatMap { file in
      reading.violations(in: file) { "'\($0[0])' reaches through the answers: pass the owner itself" }
    }
  }

  /// Returns the names of the value types below the daemon. No owner can be reached through a constant of these types.
  private static func valuesOfLowerTargets(in tree: SourceTree) throws -> Set<String> {
    let declaration = try Pattern(#"^[ ]*(?:(?:public|package)[ ]+)?(?:struct|enum)[ ]+(\w+)"#)
    let lower = tree.swiftSources.filter { !$0.path.hasPrefix("Sources/Daemon/TimelineDaemon/") }
    return Set(lower.flatMap { file in declaration.matches(in: file.code).map { $0.groups[1] } })
  }

  /// Returns the stored properties of a file's classes that other owners could change, or read without need. A constant may be
  /// open if `isOpen` is true of its type.
  private static func openProperties(
    of file: SourceFile, isOpen: (String) -> Bool
  ) throws -> [Violation] {
    let opening = try Pattern(#"^(?:(?:final|package)[ ]+)*class[ ]+\w+[^{]*\{"#)
    let property = try Pattern(#"^  ((?:[\w()]+[ ]+)*)(let|var)[ ]+\w+([^\n]*)$"#)
    return opening.matches(in: file.code).flatMap { match -> [Violation] in
      let rest = file.code[match.range.upperBound...]
      let body = String(rest[..<(rest.firstRange(of: "\n}")?.lowerBound ?? rest.endIndex)])
      let start = file.line(at: match.range.upperBound)
      return property.matches(in: body).filter {
        !$0.groups[1].hasPrefix("private") && isStored($0.groups[3])
          && !($0.groups[2] == "let" && isOpen(typeName($0.groups[3])))
      }.map {
        Violation(
          path: file.path, line: start + body[..<$0.range.lowerBound].count { $0 == "\n" },
          message: "a stored property of an owner that is neither private nor private(set)")
      }
    }
  }

  /// Returns the type that the rest of a declaration begins with: `A` of `: A = b`.
  private static func typeName(_ rest: String) -> String {
    String(rest.drop { ": ".contains($0) }.prefix { $0.isLetter || $0.isNumber })
  }
}

extension Planted {
  static let daemon: [Planted] = [
    Planted(
      .daemonOwners, at: "Sources/Daemon/TimelineDaemon/Control/A.swift", "extension Daemon {\n}", lines: [1]),
    Planted(
      .daemonOwners, at: DaemonOwners.rootFile,
      "final class Daemon {\n  let a: A\n  private let b: B\n  private(set) lazy var c = C()\n  var d = 1\n  var e: Int { 2 }\n}\nextension Daemon {\n  func f() {}\n}",
      lines: [5]),
    Planted(
      .daemonOwners, at: "Sources/Daemon/TimelineDaemon/Loop/A.swift",
      "/// Daemon.\nfinal class A {\n  private unowned let daemon: Daemon\n  let b: B\n  var c = 1\n  private(set) var d = 2\n  var e: () -> Void = {}\n}\nstruct F {\n  var g = 3\n}",
      lines: [3, 4, 5, 7]),
    Planted(
      .daemonOwners, at: "Sources/Daemon/TimelineDaemon/Answers/A.swift",
      "final class A {\n  let b: Daemon\n  private(set) var c = 1\n  var d = 2\n}", lines: [4]),
    Planted(
      .daemonOwners, at: "Sources/Daemon/TimelineDaemon/Control/B.swift",
      "final class B {\n  let a: Daemon\n  var c = a.answers.writer\n  let d = answers.writer()\n}",
      lines: [3]),
  ]
}

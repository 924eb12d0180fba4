import Foundation
import Glibc
import Testing
import TimelineConfiguration
import TimelineCore
import TimelineSystem
import TimelineTestSupport

@testable import TimelineLoading

/// Files that root's daemon reads by a path that another user can change.
@Suite(.enabled(if: CurrentProcess.effectiveUser == 0, "only root can give files away"))
struct `Files that a configuration names` {
  private static let nobody: uid_t = 65_534
  /// A line of a file that only root may read. It is also a valid line of a crontab.
  private static let secret = "* * * * * root /bin/echo hunter2\n"

  /// A way by which another user leads root to the file `secret`.
  enum Way: String, CaseIterable {
    case linkInOwnDirectory, linkOfTheirOwn, hardLinkInOwnDirectory, hardLinkInStickyDirectory,
      ownDirectoryOnTheWay
    case ownFile

    /// A part of the message about it.
    var sign: String { self == .hardLinkInStickyDirectory ? "1777" : "65534" }

    /// Sets the way up, and returns the path of the file `name`, which the configuration names.
    func make(_ workshop: Workshop, _ name: String, to secret: String) throws -> String {
      let path = try workshop.write("* * * * * root /bin/true\n", to: "given/\(name)")
      var foreign = path
      switch self {
      case .ownFile: break
      case .ownDirectoryOnTheWay: foreign = workshop.path
      case .linkInOwnDirectory, .linkOfTheirOwn:
        try #require(unsafe unlink(path) == 0 && symlink(secret, path) == 0)
        if self == .linkInOwnDirectory { foreign = path.parentDirectory }
      case .hardLinkInOwnDirectory, .hardLinkInStickyDirectory:
        try #require(unsafe unlink(path) == 0 && link(secret, path) == 0)
        foreign = path.parentDirectory
      }
      if self == .hardLinkInStickyDirectory {
        try #require(unsafe chmod(foreign, 0o1777) == 0)
        return path
      }
      try #require(unsafe lchown(foreign, nobody, nobody) == 0)
      return path
    }
  }

  private static func loader(_ workshop: Workshop) -> Loader {
    Loader(path: workshop.path + "/daemon.toml", installation: Installation())
  }

  @Test(arguments: Way.allCases, [true, false])
  func `a crontab that another user can replace is not read`(_ way: Way, isDirectory: Bool) throws {
    let workshop = try Workshop()
    let path = try way.make(workshop, "job", to: try workshop.keep(Self.secret))
    let named = isDirectory ? path.parentDirectory : path
    let crontabs = Self.loader(workshop).crontabs(at: [named])
    #expect(crontabs.lines.isEmpty && crontabs.warnings.count == 1, "\(crontabs)")
    #expect(crontabs.warnings.first?.message.contains(way.sign) == true, "\(crontabs.warnings)")
    #expect(!"\(crontabs)".contains("hunter2"))
  }

  @Test(arguments: Way.allCases)
  func `a list of holidays that another user can replace is not read`(_ way: Way) throws {
    let workshop = try Workshop()
    let path = try way.make(workshop, "days", to: try workshop.keep(Self.secret))
    // The configuration itself is root's.
    let own = try Workshop()
    try own.configure(
      """
      [holidays.given]
      file = "\(path)"
      [job.one]
      plugin = "steady"
      schedule = { cron = "0 6 * * *", except = ["holidays given"] }
      [job.two]
      plugin = "steady"
      schedule = { cron = "0 6 * * *" }
      """)
    let read = try Self.loader(own).read(
      refusingForeignWriters: true, refusingUnknownPlugins: false, keepingJobsThatLackFiles: true,
      now: .epoch)
    #expect(read.faults.map(\.job.text) == ["one"], "\(read.faults)")
    #expect(read.faults.first?.isOfOthers == true, "it refuses no reload")
    #expect(read.faults.first?.diagnostic.message.contains(way.sign) == true, "\(read.faults)")
    #expect(!"\(read.faults) \(read.warnings)".contains("hunter2"))
  }

  @Test(arguments: Way.allCases)
  func `a configuration that another user can replace is not read`(_ way: Way) throws {
    let workshop = try Workshop()
    let path = try way.make(workshop, "daemon.toml", to: try workshop.keep(Self.secret))
    let loader = Loader(path: path, installation: Installation())
    let failure = #expect(throws: LoadFailure.self) {
      try loader.read(refusingForeignWriters: true, refusingUnknownPlugins: false, now: .epoch)
    }
    let text = failure?.text() ?? ""
    #expect(text.contains(way.sign) && !text.contains("hunter2"), "\(text)")
  }

  @Test func `a spool of crontabs has its users' crontabs, and no link is followed`() throws {
    let workshop = try Workshop()
    try workshop.write("* * * * * /bin/true\n", to: "crontabs/nobody", mode: 0o600)
    let spool = workshop.path + "/crontabs"
    unsafe chown(spool + "/nobody", Self.nobody, Self.nobody)
    #expect(unsafe chmod(spool, 0o1730) == 0)
    let secret = try workshop.keep(Self.secret)
    #expect(unsafe symlink(secret, spool + "/daemon") == 0)
    let crontabs = Self.loader(workshop).crontabs(at: [spool])
    #expect(crontabs.lines.compactMap(\.command?.user) == ["nobody"], "\(crontabs)")
    #expect(!"\(crontabs)".contains("hunter2"))
    #expect(unsafe chmod(spool, 0o1777) == 0)
    #expect(Self.loader(workshop).crontabs(at: [spool]).lines.isEmpty)
  }

  /// Invalid lines of a list of holidays, a crontab and a configuration.
  @Test(arguments: [0o600, 0o644] as [mode_t])
  func `a redacted message quotes only a world-readable file`(mode: mode_t) throws {
    let workshop = try Workshop()
    try workshop.write("not a date: hunter2\n", to: "days", mode: mode)
    try workshop.write(
      "MAILTO=\"\"\n* * * * * root /bin/true\nhunter2 is wrong\n", to: "cron.d/tests", mode: mode)
    let path = try workshop.configure(
      """
      [holidays.given]
      file = "\(workshop.path)/days"
      [include]
      crontabs = ["\(workshop.path)/cron.d"]
      [job.one]
      plugin = "steady"
      schedule = { cron = "0 6 * * *", except = ["holidays given"] }
      """)
    let loader = Loader(path: path, installation: Installation())
    func read() throws -> Configuration {
      try loader.read(
        refusingForeignWriters: true, refusingUnknownPlugins: false, keepingJobsThatLackFiles: true,
        now: .epoch)
    }
    func expect(_ diagnostics: [Diagnostic], names places: [String]) {
      for diagnostic in diagnostics {
        let text = diagnostic.redacted.text()
        #expect(text.contains("hunter2") == (mode == 0o644), "\(text)")
        #expect(diagnostic.text().contains("hunter2"), "the caller of a check has read the file: \(text)")
      }
      let text = diagnostics.map(\.redacted).text()
      for place in places { #expect(text.contains(place), "\(text)") }
    }
    let configuration = try read()
    let warnings = configuration.warnings.filter { $0.place.path != path && $0.place.line > 0 }
    expect(
      configuration.faults.map(\.diagnostic) + warnings, names: ["days:1:1: ", "cron.d/tests:3:1: "])

    try workshop.configure("[job.one]\nschedule = { corn = \"hunter2\" }\nhunter2 = 1\n")
    unsafe chmod(path, mode)
    let failure = #expect(throws: LoadFailure.self) { try read() }
    guard case .refused(let diagnostics)? = failure else { return #expect(Bool(false), "\(failure)") }
    let errors = diagnostics.filter { $0.severity == .error && $0.text().contains("hunter2") }
    expect(errors, names: ["daemon.toml:"])
  }

  @Test func `a spooled crontab with a second hard link is not read`() throws {
    let workshop = try Workshop()
    let secret = try workshop.keep(Self.secret)
    unsafe mkdir(workshop.path + "/crontabs", 0o755)
    #expect(unsafe link(secret, workshop.path + "/crontabs/daemon") == 0)
    let crontabs = Self.loader(workshop).crontabs(at: [workshop.path + "/crontabs"])
    #expect(crontabs.lines.isEmpty && crontabs.warnings.count == 1, "\(crontabs)")
  }
}

extension Workshop {
  /// Writes a file that only root may read, and returns its path.
  fileprivate func keep(_ text: String) throws -> String { try write(text, to: "secret", mode: 0o600) }
}

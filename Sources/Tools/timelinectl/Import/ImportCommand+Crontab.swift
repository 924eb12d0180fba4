import ArgumentParser
import TimelineImport
import TimelineLoading
import TimelineSystem

extension ImportCommand {
  /// `timelinectl import crontab`: the jobs of cron.
  struct Crontab: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "crontab",
      abstract: "Turn crontabs into a configuration.",
      discussion: """
        FILE is the crontab of one user, as `crontab -l` prints it: of --user, or else of the user who runs the command. In /etc/crontab \
        and /etc/cron.d, and with --system, each line names its user. Without FILE, --user reads the crontab that cron has of that \
        user, and --system reads all that cron has. Lines are read as Debian's cron reads them, or as the cron of --as does. Without --as \
        the report names each line that the installed cron runs otherwise.
        """)

    @Argument(help: "The crontab, or a directory of them; \"-\" reads standard input.", completion: .file())
    var files: [String] = []

    @Option(help: ArgumentHelp("The user whose crontab it is.", valueName: "name"))
    var user: String?

    @Flag(help: "Each line names its user, as in /etc/crontab.")
    var system = false

    @Option(
      name: .customLong("as"),
      help: ArgumentHelp(
        "The cron that ran the lines until now: \(CronProgram.allCases.map(\.rawValue).joined(separator: ", ")).",
        valueName: "cron"),
      completion: .list(CronProgram.allCases.map(\.rawValue)))
    var program: String?

    @OptionGroup var options: ImportOptions

    /// The directory of the crontabs of users.
    private static let spool = "/var/spool/cron/crontabs"
    /// The places where cron looks for crontabs.
    private static let places = ["/etc/crontab", "/etc/cron.d", spool]

    /// The cron program that `--as` names; `nil` without `--as`. Debian's cron is also accepted as `cron`, the name
    /// of its package.
    private func givenProgram() throws -> CronProgram? {
      guard let program else { return nil }
      if let given = CronProgram(rawValue: program == "cron" ? "debian" : program) { return given }
      let names = CronProgram.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("--as \(program): expected one of \(names)")
    }

    func validate() throws {
      _ = try givenProgram()
      if system, user != nil {
        throw ValidationError(
          "give one of --user NAME, for the crontab of a user, and --system, for one whose lines name users")
      }
      if files.isEmpty, !system, user == nil {
        throw ValidationError(
          "name a crontab, a user by --user, or --system for all crontabs; \"-\" reads standard input")
      }
    }

    func run() throws {
      let paths = try files.isEmpty ? user.map { [try spooled($0)] } ?? Self.everywhere : files
      var sources: [CrontabSource] = []
      var isPrivate = false
      do {
        for place in paths {
          for path in try Self.files(at: place) {
            let (bytes, mode) = try read(path)
            if mode & 0o004 == 0 { isPrivate = true }
            let format = try format(of: path)
            sources.append(
              CrontabSource(
                path: path == "-" ? "<stdin>" : path, bytes: bytes, format: format,
                place: path == "-" ? nil : Self.place(of: path)))
          }
        }
      } catch let error as SystemError {
        throw fail("timelinectl: error: \(error)", status: .inputOutput)
      }
      let program = try givenProgram()
      let made = CrontabImport(
        sources, in: .ofThisMachine, as: program ?? .debian, installed: program == nil ? .installed : nil)
      try options.conclude(made.file, made.report, made.rules, isPrivate: isPrivate)
    }

    /// The places where cron looks for crontabs, as far as they exist on this machine.
    private static var everywhere: [String] { places.filter { (try? FileFacts(at: $0)) != nil } }

    /// The path of a user's crontab.
    private func spooled(_ user: String) throws -> String {
      let path = Self.spool.appending(fileName: user)
      do {
        _ = try FileFacts(at: path)
        return path
      } catch {
        let remedy =
          error.isMissing
          ? "that user has no crontab"
          : "run this as root, or as \(user): `crontab -l | timelinectl import crontab - --user \(user)`"
        throw fail("timelinectl: error: \(path): \(error.plainReason): \(remedy)", status: .inputOutput)
      }
    }

    private func format(of path: String) throws -> CrontabSource.Format {
      if let user { return .user(user) }
      if path != "-", let format = CrontabSource.format(ofFileAt: Self.place(of: path)) { return format }
      return system ? .system : .user(try Self.invoker())
    }

    /// Absolute path of a file, for comparison with cron's directories. Symbolic links in its directory part are
    /// resolved; a link in its last part is not.
    private static func place(of path: String) -> String {
      let name = path.split(separator: "/").last.map(String.init) ?? path
      let directory = CurrentProcess.absolutePath(path).parentDirectory
      return (CurrentProcess.realPath(directory) ?? directory).appending(fileName: name)
    }

    /// The name of the calling user.
    private static func invoker() throws -> String {
      do {
        return try UserRecord(numbered: CurrentProcess.effectiveUser).name
      } catch {
        throw fail(
          "timelinectl: error: the user of the crontab is unknown: \(error): give --user NAME or --system",
          status: .inputOutput)
      }
    }

    /// The files in a directory, without hidden files; for any other file `path` itself.
    private static func files(at path: String) throws(SystemError) -> [String] {
      guard path != "-", try FileFacts(at: path).kind == .directory else { return [path] }
      return try DirectoryListing.names(in: path).filter { !$0.hasPrefix(".") }.map {
        path.appending(fileName: $0)
      }.filter { (try? FileFacts(at: $0))?.kind != .directory }
    }

    private func read(_ path: String) throws(SystemError) -> (bytes: [UInt8], mode: UInt32) {
      // The crontab of a user is private, also from standard input.
      guard path != "-" else { return (try StandardInput.read(atMost: CrontabSource.byteCountMax), 0) }
      let contents = try FileContents.read(path, limit: CrontabSource.byteCountMax)
      return (contents.bytes, contents.facts.mode)
    }
  }
}

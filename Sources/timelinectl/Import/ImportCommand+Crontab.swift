import ArgumentParser
import TimelineImport
import TimelineSystem

extension ImportCommand {
  /// `timelinectl import crontab`: the jobs of cron.
  struct Crontab: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "crontab",
      abstract: "Turn crontabs into a configuration.",
      discussion: """
        With --user the file is the crontab of that user, as `crontab -l` prints it. With --system it is /etc/crontab or a file or the \
        directory of /etc/cron.d, whose lines name users, or a file or the directory of /var/spool/cron/crontabs; without a file all \
        of them. Lines are read as Debian's cron reads them.
        """)

    @Argument(help: "The crontab, or a directory of them; \"-\" reads standard input.", completion: .file())
    var files: [String] = []

    @Option(help: ArgumentHelp("The user whose crontab it is.", valueName: "name"))
    var user: String?

    @Flag(help: "Its lines name users, as in /etc/crontab.")
    var system = false

    @OptionGroup var options: ImportOptions

    /// The places at which cron looks.
    private static let places = ["/etc/crontab", "/etc/cron.d", "/var/spool/cron/crontabs"]

    func validate() throws {
      guard system != (user != nil) else {
        throw ValidationError(
          "give either --user NAME, for the crontab of a user, or --system, for one whose lines name users")
      }
      if files.isEmpty, !system {
        throw ValidationError("name the crontab of \(user ?? ""); \"-\" reads standard input")
      }
    }

    func run() throws {
      let paths = files.isEmpty ? Self.places.filter { (try? FileFacts(at: $0)) != nil } : files
      var sources: [CrontabSource] = []
      var isPrivate = false
      do throws(SystemError) {
        for place in paths {
          for path in try Self.files(at: place) {
            let (bytes, mode) = try read(path)
            if mode & 0o004 == 0 { isPrivate = true }
            let format = user.map(CrontabSource.Format.user) ?? CrontabSource.format(ofFileAt: path)
            sources.append(CrontabSource(path: path == "-" ? "<stdin>" : path, bytes: bytes, format: format))
          }
        }
      } catch {
        throw fail("timelinectl: error: \(error)", status: .inputOutput)
      }
      let made = CrontabImport(sources, in: .ofThisMachine)
      try options.conclude(made.file, made.report, made.rules, isPrivate: isPrivate)
    }

    /// The files of a directory, without hidden ones, or the path itself.
    private static func files(at path: String) throws(SystemError) -> [String] {
      guard path != "-", try FileFacts(at: path).kind == .directory else { return [path] }
      return try DirectoryListing.names(in: path).filter { !$0.hasPrefix(".") }.map {
        path.appending(fileName: $0)
      }
    }

    private func read(_ path: String) throws(SystemError) -> (bytes: [UInt8], mode: UInt32) {
      // The crontab of a user is private, wherever it comes from.
      guard path != "-" else { return (try StandardInput.read(atMost: CrontabSource.byteCountMax), 0) }
      let contents = try FileContents.read(path, limit: CrontabSource.byteCountMax)
      return (contents.bytes, contents.facts.mode)
    }
  }
}

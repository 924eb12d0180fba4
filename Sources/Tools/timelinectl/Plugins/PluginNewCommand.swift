import ArgumentParser
import TimelineSystem

extension PluginCommand {
  /// `timelinectl plugin new`: makes the directory of a plugin that builds and has tests.
  struct New: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "new", abstract: "Write a directory with a new plugin, its test and a README.",
      discussion: "Nothing that exists is overwritten. Python uses the bundled plugin process.")

    @Option(
      help: ArgumentHelp("The language: \(New.languages).", valueName: "language"),
      completion: .list(PluginTemplate.Language.allCases.map(\.rawValue)),
      transform: { text in
        guard let language = PluginTemplate.Language(rawValue: text) else {
          throw ValidationError("expected \(New.languages)")
        }
        return language
      })
    var language: PluginTemplate.Language

    @Option(
      help: ArgumentHelp("The directory that is made. Default: the name, here.", valueName: "directory"),
      completion: .directory)
    var directory: String?

    @Argument(help: ArgumentHelp("The plugin's name: a-z, 0-9 and hyphens.", valueName: "name"))
    var name: String

    private static let languages = PluginTemplate.Language.allCases.map(\.rawValue).joined(separator: ", ")
    /// Maximum length of a name, in bytes: the name is part of file names and of a message.
    private static let nameMax = 64

    func validate() throws {
      let isWord = name.utf8.allSatisfy {
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
      }
      guard isWord, name.utf8.first.map({ (0x61...0x7A).contains($0) }) == true, name.utf8.last != 0x2D,
        name.utf8.count <= Self.nameMax
      else {
        throw ValidationError(
          "\(name): expected a name of 1 to \(Self.nameMax) bytes of a to z, 0 to 9 and hyphens, with a letter first and no hyphen last"
        )
      }
      guard directory != "" else { throw ValidationError("--directory: expected a path") }
    }

    func run() throws {
      let program = CurrentProcess.executablePath.parentDirectory.appending(fileName: "timelinectl")
      let top = directory ?? name
      guard (try? FileFacts(at: top)) == nil else {
        throw fail("error: \(top): file exists: choose another --directory, or remove it")
      }
      do {
        for file in language.template.files(named: name, by: program) {
          var parent = top
          try CurrentProcess.makeDirectory(parent, mode: 0o755)
          for part in file.path.split(separator: "/").dropLast() {
            parent += "/\(part)"
            try CurrentProcess.makeDirectory(parent, mode: 0o755)
          }
          let mode: UInt32 = file.isExecutable ? 0o755 : 0o644
          try WholeFile.writeNew(Array(file.text.utf8), to: "\(top)/\(file.path)", mode: mode)
        }
      } catch {
        throw fail("error: \(error)")
      }
      try Output.print("made \(top): see \(top)/README.md, then run `make test` there\n")
    }
  }
}

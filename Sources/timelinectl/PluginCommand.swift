import ArgumentParser
import FoundationEssentials
import TimelineCore
import TimelineLoading
import TimelineSystem

/// `timelinectl plugin`: what a plugin's author and an operator want to know of a file.
struct PluginCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plugin", abstract: "Look at a plugin.", subcommands: [Inspect.self])

  @ParentCommand var root: Timelinectl

  /// `timelinectl plugin inspect`: who a plugin says it is, in a process of its own.
  struct Inspect: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "inspect",
      abstract: "Load a plugin in a host and show who it says it is and which parameters it takes.",
      discussion: "Exits 1 with file, reason and remedy when it cannot be loaded. Its jobs are not run.")

    @Option(help: ArgumentHelp("The timeline-host program.", valueName: "file"), completion: .file())
    var host: String?

    @ParentCommand var parent: PluginCommand

    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        "For how long the plugin may take to load, such as 30s. Default: 10s.", valueName: "duration"),
      transform: { try Words.length($0) })
    var timeout: ElapsedTime?

    /// Time to load unless told otherwise: plugins need milliseconds, or a second on a cold disk.
    private static let loadLimit = ElapsedTime.seconds(10)

    @OptionGroup var output: OutputOptions

    @Argument(
      help: ArgumentHelp("The shared library.", valueName: "file.so"), completion: .file(extensions: ["so"]))
    var file: String

    func run() throws {
      let limit = timeout ?? parent.root.daemon.timeout ?? Self.loadLimit
      let installation = Installation(hostPath: host)
      // The host that runs plugins is the only judge of whether one can be run; its words are passed on.
      let (reading, writing) = try ByteStream.pipe()
      let child: ChildProcess
      do {
        child = try ChildProcess.spawn(
          executable: installation.hostPath,
          arguments: ["--describe", CurrentProcess.absolutePath(file)],
          // As the daemon does: Swift's handler of crashes would write pages, and lets a raised signal pass.
          environment: CurrentProcess.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 },
          descriptors: [.init(writing.rawValue, as: 1), .init(2, as: 2)])
      } catch {
        throw fail("\(installation.hostPath): \(error)")
      }
      writing.close()
      guard let answer = try readAll(reading, until: SystemTime.monotonic() + limit) else {
        _ = try? child.signalGroup(.kill)
        _ = child.wait()
        throw fail(
          "timelinectl: error: \(file): not loaded within \(limit): its constructors or its entry hang; allow more with --timeout"
        )
      }
      switch child.wait() {
      case .exited(0): try Output.print(output.json ? answer : try PluginText(json: answer).text)
      case .exited(let status): throw ExitCode(status)
      case .signalled(let signal): throw fail("\(file): the plugin crashed while it was loaded: \(signal)")
      case .unobserved: throw fail("\(file): its host ended and nobody saw how; try again")
      }
    }

    /// Everything up to the end of `stream`; `nil` when the end has not come by `deadline`.
    private func readAll(_ stream: ByteStream, until deadline: MonotonicInstant) throws -> String? {
      var bytes: [UInt8] = []
      while true {
        switch try stream.read(atMost: 1 << 16) {
        case .bytes(let more): bytes += more
        case .wouldBlock:
          let left = max(deadline - SystemTime.monotonic(), .zero)
          guard try stream.wait(toWrite: false, atMost: left) else { return nil }
        case .endOfFile: return String(decoding: bytes, as: UTF8.self)
        }
      }
    }
  }
}

/// A plugin's description by its host, as a person reads it.
private struct PluginText: Decodable {
  struct Range: Decodable {
    let oldest: Int
    let newest: Int
  }

  /// What is shown of a JSON Schema.
  struct Schema: Decodable {
    let properties: [String: Property]?
    let required: [String]?
  }

  struct Property: Decodable {
    let description: String?
  }

  let file: String
  let name: String
  let version: String
  let summary: String
  let abi: Range
  let parametersSchema: Schema?

  init(json: String) throws {
    self = try JSONDecoder().decode(Self.self, from: Data(json.utf8))
  }

  var text: String {
    let numbers = abi.oldest == abi.newest ? "\(abi.newest)" : "\(abi.oldest) to \(abi.newest)"
    var lines = ["\(name) \(version): \(summary)", "file  \(file)", "abi   \(numbers)"]
    let properties = (parametersSchema?.properties ?? [:]).sorted { $0.key < $1.key }
    if !properties.isEmpty { lines.append("with") }
    let width = properties.map(\.key.count).max() ?? 0
    for (key, property) in properties {
      let need = parametersSchema?.required?.contains(key) == true ? "required. " : ""
      let padding = String(repeating: " ", count: width - key.count)
      lines.append("  \(key)\(padding)  \(need)\(property.description ?? "")")
    }
    return lines.map { $0.printable + "\n" }.joined()
  }
}

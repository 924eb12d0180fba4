internal import TimelineSystem
package import TimelineWire

/// A function that puts this process and its descendants under the sandbox of a request.
///
/// The program passes it in. The daemon uses this module for in-process plugins and must not load the sandbox code.
package typealias SandboxFunction = (LoadRequest) throws(Refusal) -> Void

/// The program `timeline-host`; its main file calls ``main(_:enterSandbox:)``.
package enum HostProgram {
  /// Runs the command in `arguments`, which lack the program's name, and ends the process.
  package static func main(_ arguments: [String], enterSandbox: @escaping SandboxFunction) -> Never {
    HostSystem.prepare()
    let status =
      switch Command(arguments) {
      case .serve: serve(enterSandbox)
      case .keepLeftovers: LeftoverProcessKeeper.run()
      case .help: printHelp()
      case .describe(let file, let user): Description.print(of: file, as: user, enterSandbox)
      case .wrong(let reason): complain(reason)
      }
    PluginExitGuard.isAsked()
    HostSystem.exit(status)
  }

  private static func printHelp() -> CInt {
    print(help)
    return HostExitStatus.success
  }

  private static func complain(_ reason: String) -> CInt {
    HostSystem.complain("timeline-host: \(reason); timeline-host --help says what it takes")
    return HostExitStatus.usage
  }

  private static func serve(_ enterSandbox: @escaping SandboxFunction) -> CInt {
    guard HostSocket.inherited.isOpen else {
      HostSystem.complain(
        "timeline-host: descriptor 3 is not a socket: timelined starts this program; to try a plugin, "
          + "use `timelinectl plugin test FILE --with JSON`")
      return HostExitStatus.usage
    }
    let socket = HostSocket.inherited.prepared()
    // As a subreaper this process finds all descendants of a plugin, even if processes in between end. A kernel before 3.4
    // has no subreapers.
    try? CurrentProcess.becomeSubreaper()
    return Host.serve(socket, enterSandbox)
  }

  private static let help = """
    timeline-host: the process in which timelined runs a plugin

    timeline-host
        Serves the daemon at the other end of descriptor 3. timelined starts it this way.
    timeline-host --describe FILE.so [--user NAME]
        Loads the plugin and prints what it says of itself as one JSON object. Runs none of its jobs.
    timeline-host --help

    FILE.so, and the directories and links on the way to it, must belong to root or the user that the plugin runs as,
    and be writable by nobody else.
    Exit status: 0 done, 1 the plugin was refused or failed (the reason is on standard error), 64 wrong usage.
    """
}

/// A command of the command line.
enum Command: Equatable {
  case serve
  /// Wait for the leftovers of a run. The host executes itself with this option.
  case keepLeftovers
  case help
  case describe(file: String, user: String?)
  case wrong(String)

  init(_ arguments: [String]) {
    guard let verb = arguments.first else {
      self = .serve
      return
    }
    var file: String?
    var user: String?
    switch verb {
    case LeftoverProcessKeeper.option:
      self = arguments.count == 1 ? .keepLeftovers : .wrong("\(verb) stands alone")
      return
    case "--help", "-h":
      self = .help
      return
    case "--describe":
      var rest = arguments.dropFirst()
      while let word = rest.popFirst() {
        if !word.hasPrefix("-"), file == nil {
          file = word
        } else if word == "--user", let value = rest.popFirst() {
          user = value
        } else {
          self = .wrong("\"\(word)\" is one word too many, or lacks its value")
          return
        }
      }
    default:
      self = .wrong("unknown option \"\(verb)\"")
      return
    }
    guard let file else {
      self = .wrong("\(verb) needs a file")
      return
    }
    self = .describe(file: file, user: user)
  }
}

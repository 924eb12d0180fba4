internal import Glibc
internal import TimelineSystem

/// The program `timeline-store` but for its first line.
enum StoreProgram {
  /// Version of the program, that of the daemon which it is installed with.
  private static let version = "0.1.0"
  /// Number of the descriptor at which the daemon puts the socket.
  private static let socketNumber: CInt = 3
  /// Exit statuses: all went well, something was refused, wrong usage.
  private static let (success, failure, usage): (CInt, CInt, CInt) = (0, 1, 64)

  /// Does what the arguments ask for, and ends the process.
  static func main(_ arguments: [String]) -> Never {
    CurrentProcess.fillStandardDescriptors()
    CurrentProcess.ignoreBrokenPipes()
    switch StoreCommand(arguments) {
    case .help:
      print(help)
      exit(success)
    case .version:
      print("timeline-store \(version)")
      exit(success)
    case .wrong(let reason): end(usage, "\(reason): timeline-store --help lists what it takes")
    case .postgresql(let credential): exit(serve(CredentialFile(path: credential)))
    }
  }

  private static func serve(_ credential: CredentialFile) -> CInt {
    guard DescriptorKind(of: socketNumber) == .socket else { endWithoutSocket(credential) }
    let socket = CallSocket(owning: socketNumber)
    do {
      let transactions = StoreTransactions(credential: credential, wait: ServerWait(peer: socketNumber))
      try CallLoop(socket: socket, session: StoreSession(transactions)).run()
      return success
    } catch {
      end(failure, "\(error)")
    }
  }

  /// Says what is wrong to a person who has started the program; the daemon is told about the file by the reply to each call.
  private static func endWithoutSocket(_ credential: CredentialFile) -> Never {
    do throws(CredentialFile.Refusal) {
      _ = try credential.connectionString()
    } catch {
      end(failure, error.message)
    }
    end(usage, "descriptor 3: it is not a socket: timelined starts this program, or see docs/store.md")
  }

  private static func end(_ status: CInt, _ message: String) -> Never {
    CurrentProcess.printError("timeline-store: error: \(message)")
    exit(status)
  }

  private static let help = """
    timeline-store: lets timelined use a database as the store of a cluster

    timeline-store postgresql --credential FILE
        Serves the daemon at the other end of descriptor 3, a SEQPACKET socket, until it is closed. FILE has one line, a
        connection string or URI of libpq. It must belong to root or this user, and others must not be able to read it.
    timeline-store --version
    timeline-store --help

    docs/store.md describes the messages.
    Exit status: 0 done, 1 the file was refused or the socket failed (the reason is on standard error), 64 wrong usage.
    """
}

/// The command of the command line.
enum StoreCommand: Equatable {
  case postgresql(credential: String)
  case help
  case version
  case wrong(String)

  init(_ arguments: [String]) {
    switch arguments.first {
    case nil: self = .wrong("store: none is given")
    case "--help", "-h": self = .help
    case "--version": self = .version
    case "postgresql":
      self =
        arguments.count == 3 && arguments[1] == "--credential"
        ? .postgresql(credential: arguments[2])
        : .wrong("postgresql: it takes --credential FILE and nothing else")
    case .some(let other): self = .wrong("store \"\(other.printable)\": it is not known")
    }
  }
}

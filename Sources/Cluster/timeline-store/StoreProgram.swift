internal import Glibc
internal import TimelineSystem

/// The program `timeline-store`; `main.swift` only calls ``main(_:)``.
enum StoreProgram {
  /// Version of the program. The installed daemon has the same version.
  private static let version = "0.1.0"
  /// Descriptor of the socket that the daemon passes.
  private static let socketNumber: CInt = 3
  /// Exit statuses: success, failure, wrong usage.
  private static let (success, failure, usage): (CInt, CInt, CInt) = (0, 1, 64)

  /// Runs the command of the arguments, and ends the process.
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
    case .postgresql(let path):
      let credential = CredentialFile(path: path)
      exit(
        serve(check: { () throws(CredentialFile.Refusal) in _ = try credential.connectionString() }) {
          StoreSession(StoreTransactions(credential: credential, wait: ServerWait(peer: socketNumber)))
        })
    case .etcd(let endpoints, let path):
      let credential = path.map { CredentialFile(path: $0) }
      exit(
        serve(check: { () throws(CredentialFile.Refusal) in _ = try credential?.etcdCredential() }) {
          EtcdSession(EtcdConnection(endpoints: endpoints, credential: credential))
        })
    }
  }

  private static func serve(
    check: () throws(CredentialFile.Refusal) -> Void, _ session: () -> any CallSession
  ) -> CInt {
    guard DescriptorKind(of: socketNumber) == .socket else { endWithoutSocket(check) }
    let socket = CallSocket(owning: socketNumber)
    do {
      try CallLoop(socket: socket, session: session()).run()
      return success
    } catch {
      end(failure, "\(error)")
    }
  }

  /// Prints the error to a user who has started the program by hand. The daemon receives errors of the file in the reply to
  /// each call.
  private static func endWithoutSocket(_ check: () throws(CredentialFile.Refusal) -> Void) -> Never {
    do throws(CredentialFile.Refusal) {
      try check()
    } catch {
      end(failure, error.message)
    }
    end(
      usage,
      "descriptor 3: it is not a socket: timelined starts this program, or see share/doc/timelined/store.md")
  }

  private static func end(_ status: CInt, _ message: String) -> Never {
    CurrentProcess.printError("timeline-store: error: \(message)\n")
    exit(status)
  }

  private static let help = """
    timeline-store: lets timelined use a database as the store of a cluster

    timeline-store postgresql --credential FILE
        Serves the daemon at the other end of descriptor 3, a SEQPACKET socket, until it is closed. FILE has one line, a
        connection string or URI of libpq. It must belong to root or this user, and others must not be able to read it.
    timeline-store etcd --endpoint URL... [--credential FILE]
        Serves it likewise, with the members of an etcd. FILE has variables of etcdctl: ETCDCTL_USER, ETCDCTL_PASSWORD,
        ETCDCTL_CERT, ETCDCTL_KEY, ETCDCTL_CACERT, one in a line.
    timeline-store --version
    timeline-store --help

    share/doc/timelined/store.md describes the messages.
    Exit status: 0 done, 1 the file was refused or the socket failed (the reason is on standard error), 64 wrong usage.
    """
}

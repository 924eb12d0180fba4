import ArgumentParser
import NIOCore
import TimelineCore
import TimelineLoading
import TimelineSystem
import TimelineWeb

/// The command line of the server.
@main
struct TimelinedWeb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "timelined-web",
    abstract:
      "Shows the timelines of a running timelined on a web page: past and future entries on one axis.",
    discussion: """
      It is a client of the control socket and needs the rights of one: its group to look, and to be one of `control.users` to \
      trigger, pause, resume and cancel.

      Who opens the page signs in with a token, 16 to 256 characters in a file that others may not read. With --read-only \
      there are no changes, and without a token no sign-in.
      """,
    version: Installation.version)

  @Option(help: ArgumentHelp("The address to listen at.", valueName: "host:port"))
  var listen = "127.0.0.1:8463"

  @Option(
    help: ArgumentHelp(
      "A further name of this server, as a browser shows it, such as jobs.example.org behind a proxy. May be repeated.",
      valueName: "name"))
  var host: [String] = []

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The daemon's control socket. Default: $TIMELINED_SOCKET, or /run/timelined/control.sock.",
      valueName: "path"))
  var socket: String?

  @Option(
    help: ArgumentHelp(
      "The file with the token. Default: the credential `token` of the unit.", valueName: "file"))
  var tokenFile: String?

  @Flag(help: "Refuse changes; without a token, let everybody who can connect look.")
  var readOnly = false

  func run() async throws {
    guard let address = ListenAddress(listen) else {
      throw ValidationError("--listen \(listen): expected a host and a port, such as 127.0.0.1:8463")
    }
    let token = try TokenFile(given: tokenFile).map { try $0.token() }
    guard token != nil || readOnly else {
      throw ValidationError("no token: name a file by --token-file, or let everybody look with --read-only")
    }
    guard token != nil || address.isLoopback else {
      throw ValidationError("--listen \(listen): reachable from other machines: name a --token-file")
    }
    if !address.isLoopback {
      CurrentProcess.printError(
        "timelined-web: warning: \(listen): reachable from other machines, and not encrypted: put a proxy with TLS before it\n"
      )
    }
    let socket = DaemonSocket(
      path: self.socket ?? CurrentProcess.environment["TIMELINED_SOCKET"] ?? "/run/timelined/control.sock")
    let zones = ZoneCatalog()
    let page = DaemonPage(
      of: socket, machine: Machine.hostName, clock: SystemTime.monotonic,
      zone: { name in name.map { zones.zone(named: $0) ?? .utc } ?? zones.machineZone })
    let application = WebApplication(
      gate: WebGate(
        hosts: address.hostNames.union(host.map { $0.lowercased() }), isReadOnly: readOnly,
        needsToken: token != nil),
      token: token, cookieName: "timelined-\(address.port)", page: page, clock: SystemTime.monotonic)
    let hub = EventHub()
    do {
      try await WebServer(
        application: application, hub: hub, watch: DaemonWatch(socket, page: page, hub: hub),
        address: address
      ).run()
    } catch {
      let reason =
        (error as? IOError).map { SystemError(code: $0.errnoCode, call: "bind").plainReason } ?? "\(error)"
      CurrentProcess.printError("timelined-web: error: \(listen): \(reason): choose another --listen\n")
      throw ExitCode.failure
    }
  }
}

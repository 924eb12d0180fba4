/// The program `timeline-host` but for its first line.
package enum HostProgram {
  /// Does what the arguments, without the program's name, ask for, and ends the process.
  package static func main(_ arguments: [String]) -> Never {
    HostSystem.prepare()
    switch arguments.first {
    case nil:
      HostSystem.exit(serve())
    default:
      HostSystem.complain("timeline-host: unknown argument \"\(arguments[0])\"")
      HostSystem.exit(ExitStatus.usage)
    }
  }

  private static func serve() -> CInt {
    guard HostSocket.inherited.isOpen else {
      HostSystem.complain("timeline-host: descriptor 3 is not a socket: timelined starts this program")
      return ExitStatus.usage
    }
    HostSocket.inherited.prepare()
    return Host.serve(.inherited)
  }
}

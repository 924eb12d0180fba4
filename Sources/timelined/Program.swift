import timelinectl

/// The one executable of daemon and operator's program: almost all of what they link is the same, 20 of 21 MB.
@main
enum Program {
  /// Runs the operator's program if the executable is called by a name that begins with `timelinectl`, else the daemon.
  static func main() {
    let path = CommandLine.arguments.first ?? ""
    if path.split(separator: "/").last?.hasPrefix("timelinectl") == true {
      OperatorProgram.main()
    } else {
      Timelined.main()
    }
  }
}

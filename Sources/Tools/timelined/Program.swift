import timelinectl

/// The single executable of the daemon and `timelinectl`: they share 20 of 21 MB of code.
@main
enum Program {
  /// Runs `timelinectl` if the executable is called by a name that begins with `timelinectl`, otherwise the daemon.
  static func main() {
    let path = CommandLine.arguments.first ?? ""
    if path.split(separator: "/").last?.hasPrefix("timelinectl") == true {
      OperatorProgram.main()
    } else {
      Timelined.main()
    }
  }
}

import ArgumentParser
import TimelineControl
import TimelineMonitoring
import TimelineSystem

/// `timelinectl metrics`: metrics of the daemon for monitors.
struct MetricsCommand: DaemonVerb {
  static let configuration = CommandConfiguration(
    commandName: "metrics",
    abstract: "Print numbers of the daemon and its jobs for Prometheus.",
    discussion: """
      The text is what node_exporter's textfile collector reads. With --output it takes the place of the file at once, \
      and everybody may read it. If the daemon cannot be reached, the file stays as it was.
      """)

  @ParentCommand var root: Timelinectl
  @OptionGroup var daemon: DaemonConnection
  @OptionGroup var output: OutputOptions

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("Write to this file instead of standard output.", valueName: "file"),
    completion: .file(extensions: ["prom"]))
  var path: String?

  @Flag(name: .customLong("openmetrics"), help: "Print OpenMetrics instead of the text format of Prometheus.")
  var isOpenMetrics = false

  /// Permission bits of the file: the collector runs as another user.
  private static let fileMode: UInt32 = 0o644

  func validate() throws {
    if output.json, isOpenMetrics {
      throw ValidationError("--json and --openmetrics are two formats; choose one")
    }
  }

  func run() throws {
    let reply = try call(Control.Metrics())
    let text =
      output.json
      ? try jsonLine(reply) : MetricsText.text(of: reply, as: isOpenMetrics ? .openMetrics : .prometheus)
    guard let path, path != "-" else { return try Output.print(text) }
    do throws(SystemError) {
      try WholeFile.write(Array(text.utf8), to: path, mode: Self.fileMode)
    } catch {
      throw fail("timelinectl: error: \(error)", status: .inputOutput)
    }
  }
}

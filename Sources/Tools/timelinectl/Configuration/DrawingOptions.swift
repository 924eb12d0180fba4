import ArgumentParser
import TimelineCore
import TimelineRehearsal
import TimelineSystem

/// Output files for the drawing of a dry run.
struct DrawingOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Draw an SVG file instead of printing rows; - is standard output.", valueName: "file"),
    completion: .file(extensions: ["svg"]))
  var svg: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Write a drawing and its tables as HTML instead of printing rows; - is standard output.",
      valueName: "file"),
    completion: .file(extensions: ["html"]))
  var html: String?

  func validate() throws {
    if svg == "-", html == "-" {
      throw ValidationError("--svg - and --html - both mean standard output; write one of them to a file")
    }
    if let svg, svg == html {
      throw ValidationError("--svg and --html both name \(svg); give each a file of its own")
    }
  }

  /// `--svg` or `--html`; `--svg` if both are given, `nil` if no drawing is requested.
  var wanted: String? { svg != nil ? "--svg" : html != nil ? "--html" : nil }

  /// Throws a usage error for an option about rows, because rows are not printed with a drawing.
  func refuse(_ options: [(name: String, isGiven: Bool)]) throws {
    guard let wanted, let other = options.first(where: \.isGiven) else { return }
    throw ValidationError(
      "\(wanted) draws the rows and \(other.name) is about printing them; leave out one of the two")
  }

  /// Runs the dry run at full speed and writes the drawings; the rows are not printed.
  func draw(_ dryRun: inout DryRun, jobs: [DrawingRow.Job], in zone: Zone, title: String) throws {
    let window = dryRun.progress
    let scale = DrawingScale(from: window.from, until: window.until, columns: TimelineDrawing.columns)
    var builder = DrawingBuilder(jobs: jobs, scale: scale, zone: zone)
    dryRun.run { builder.add($0) }
    let (drawing, summary) = (builder.drawing, dryRun.summary)
    let caption = DrawingCaption(title: title.printable, command: Self.command.printable)
    if let svg { try Self.write(drawing.svg(caption), to: svg) }
    if let html { try Self.write(drawing.html(caption, summary, builder.entries), to: html) }
    CurrentProcess.printError(summary.text(in: zone))
  }

  private static func write(_ text: String, to path: String) throws(ExitCode) {
    if path == "-" { return try Output.print(text) }
    do throws(SystemError) {
      try WholeFile.write(Array(text.utf8), to: path)
    } catch {
      throw fail("timelinectl: error: \(error)", status: .inputOutput)
    }
  }

  /// The command line of this process, quoted for a shell.
  private static var command: String {
    let words = CommandLine.arguments.dropFirst().map { word in
      let isPlain = word.utf8.allSatisfy { byte in
        byte.isASCIILetterOrDigit || "-_./:=+@%,".utf8.contains(byte)
      }
      return isPlain && !word.isEmpty
        ? word
        : "'"
          + word.split(separator: "'", omittingEmptySubsequences: false)
          .joined(separator: "'\\''") + "'"
    }
    return (["timelinectl"] + words).joined(separator: " ")
  }
}

extension UInt8 {
  fileprivate var isASCIILetterOrDigit: Bool {
    (0x30...0x39).contains(self) || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
  }
}

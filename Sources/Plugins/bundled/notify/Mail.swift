import CommandSupport
import TimelinePluginKit

/// A mail that is sent by the machine's sendmail.
struct Mail: Sendable {
  private let recipients: [String]
  private let sender: String?
  private let program: String

  static let schema = """
    {
      "type": "object", "required": ["to"], "additionalProperties": false,
      "description": "A mail, by the machine's sendmail.",
      "properties": {
        "to": {"type": "array", "minItems": 1, "maxItems": 64, "items": {"type": "string", "pattern": "^[^-\\\\s][^\\\\s]*$", "x-timelined-hint": "an address without blanks that does not begin with -"}, "description": "The recipients."},
        "from": {"type": "string", "pattern": "^[^\\\\r\\\\n]+$", "x-timelined-hint": "one line", "description": "The sender. Default: what sendmail makes of the job's user."},
        "sendmail": {"type": "string", "pattern": "^/", "x-timelined-hint": "an absolute path", "x-timelined-command": true, "default": "/usr/sbin/sendmail", "description": "The program."}
      }
    }
    """

  init(_ parameters: Parameters) throws {
    recipients = try parameters.texts("/mail/to")
    sender = try parameters.optionalText("/mail/from")
    program = try parameters.text("/mail/sendmail", default: "/usr/sbin/sendmail")
    // An address that begins with a hyphen would be an option of sendmail.
    let isSound = recipients.allSatisfy {
      !$0.isEmpty && !$0.hasPrefix("-") && !$0.contains(where: \.isWhitespace)
    }
    guard !recipients.isEmpty, isSound else {
      throw Failure("the parameter /mail/to must be addresses such as [\"ops@example.org\"]")
    }
    guard sender?.contains(where: \.isNewline) != true else {
      throw Failure("the parameter /mail/from must be one line")
    }
  }

  /// Sends the mail, and waits for the end of sendmail.
  func send(_ report: Report, _ settings: CommandSettings, _ context: RunContext) throws -> String {
    let line = try CommandLine([program, "-i", "--"] + recipients, of: "/mail/to")
    var command = try Program(settings, input: .text(message(report))).start(Step(line), context)
    let ending = command.finish(context) { line in
      context.log(line)
      return true
    }
    guard case .exited(0) = ending else {
      // 75 is a temporary failure (sysexits.h).
      throw command.failure(ending, context) { $0 == 75 }
    }
    return "mailed \(report.title) to \(recipients.joined(separator: ", "))"
  }

  /// Largest length of a line without its end (RFC 5322, 2.1.1); exim of Debian rejects a message with a longer line.
  private static let lineMax = 998

  /// Returns the message (RFC 5322). A job's name and an outcome are each one line of ASCII.
  func message(_ report: Report) -> String {
    let isLong = report.text.utf8.split(separator: UInt8(ascii: "\n")).contains { $0.count > Self.lineMax }
    var lines = sender.map { ["From: \($0)"] } ?? []
    lines += [
      "To: \(recipients.joined(separator: ",\n "))", "Subject: \(report.title)", "MIME-Version: 1.0",
      "Content-Type: text/plain; charset=utf-8",
      "Content-Transfer-Encoding: \(isLong ? "quoted-printable" : "8bit")",
      // Prevents automatic answers (RFC 3834).
      "Auto-Submitted: auto-generated", "", isLong ? QuotedPrintable.encode(report.text) : report.text, "",
    ]
    return lines.joined(separator: "\n")
  }
}

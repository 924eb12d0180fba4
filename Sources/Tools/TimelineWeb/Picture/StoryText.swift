import TimelineClient
import TimelineControl
import TimelineCore
import TimelineJSON
import TimelineSystem

/// The explanation of an entry as JSON: its outcome and the reasons, its attempts, and the output of its run.
struct StoryText {
  let story: ClusterExplanation
  private var reply: WhyReply { story.reply }

  var json: String {
    JSONText.object([
      ("job", JSONText.quoted(reply.job)), ("verdict", JSONText.quoted(reply.verdict)),
      ("headline", WindowText.text(reply.headline)), ("entry", WindowText.time(reply.entry?.instant)),
      ("outcome", WindowText.text(story.outcome)),
      ("run", (reply.running?.run ?? reply.record?.run).map { "\($0)" } ?? "null"),
      ("isRunning", "\(reply.running != nil)"), ("isPaused", "\(reply.pausedSince != nil)"),
      (
        "details",
        JSONText.array(
          reply.details.map { detail in
            JSONText.object([("name", WindowText.text(detail.name)), ("text", WindowText.text(detail.text))])
          })
      ),
      ("attempts", JSONText.array(reply.attempts.map(Self.attempt))),
      ("output", reply.output.map(Self.output) ?? "null"),
    ])
  }

  private static func attempt(_ attempt: WhyReply.AttemptReport) -> String {
    let duration = attempt.durationNanoseconds.map { ElapsedTime(nanoseconds: $0).approximateText }
    return JSONText.object([
      ("number", "\(attempt.number)"), ("startedAt", WindowText.time(attempt.startedAt.instant)),
      ("duration", WindowText.text(duration)), ("outcome", WindowText.text(attempt.outcome)),
      ("message", WindowText.text(attempt.message)),
    ])
  }

  /// Lines, each with its control characters spelled out.
  private static func output(_ text: String) -> String {
    JSONText.quoted(
      text.split(separator: "\n", omittingEmptySubsequences: false).map(\.printable).joined(separator: "\n"))
  }
}

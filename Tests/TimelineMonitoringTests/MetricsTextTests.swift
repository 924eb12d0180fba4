import Foundation
import Testing
import TimelineControl
import TimelineCore

@testable import TimelineMonitoring

/// The text of metrics. `TIMELINED_REGENERATE=1` writes the files of `Tests/Monitoring/Expositions` again.
@Suite struct MetricsTextTests {
  private static let directory = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Monitoring/Expositions")

  @Test(arguments: [
    ("calm.prom", Replies.calm, ExpositionFormat.prometheus),
    ("busy.prom", Replies.busy, .prometheus), ("busy.openmetrics", Replies.busy, .openMetrics),
  ])
  func `matches the golden file`(_ name: String, _ reply: MetricsReply, _ format: ExpositionFormat)
    throws
  {
    let file = Self.directory.appending(path: name)
    let text = MetricsText.text(of: reply, as: format)
    if ProcessInfo.processInfo.environment["TIMELINED_REGENERATE"] == "1" {
      try Data(text.utf8).write(to: file)
    }
    #expect(text == String(decoding: try Data(contentsOf: file), as: UTF8.self))
  }

  @Test func `has the same samples in both formats, and each once`() {
    func samples(_ format: ExpositionFormat) -> [Substring] {
      MetricsText.text(of: Replies.busy, as: format).split(separator: "\n").filter { !$0.hasPrefix("#") }
    }
    #expect(samples(.prometheus) == samples(.openMetrics))
    let names = samples(.prometheus).map { $0.prefix { $0 != " " } }
    #expect(Set(names).count == names.count)
  }

  @Test func `has only names of jobs and words of short lists as labels`() {
    let text = MetricsText.text(of: Replies.busy, as: .prometheus)
    let labels = text.matches(of: /[{,](\w+)="/).map { String($0.1) }
    #expect(Set(labels) == ["job", "outcome", "result", "state", "mode", "version", "le"])
  }

  @Test(
    arguments: [
      (0, "0", "0.0"), (1, "0.000000001", "0.000000001"), (1_000_000, "0.001", "0.001"),
      (1_500_000_000, "1.5", "1.5"), (60_000_000_000, "60", "60.0"), (-1_500_000, "-0.0015", "-0.0015"),
      (.max, "9223372036.854775807", "9223372036.854775807"),
    ] as [(Int64, String, String)])
  func `has seconds without rounding`(_ nanoseconds: Int64, _ text: String, _ bound: String) {
    #expect(Seconds.text(nanoseconds) == text)
    #expect(Seconds.bound(nanoseconds) == bound)
  }

  @Test func `escapes characters that a label must not contain`() {
    var exposition = Exposition(.prometheus)
    exposition.begin("a", .gauge, "b")
    exposition.add(1, [("c", "\\ \" \n ü")])
    #expect(exposition.text.hasSuffix("timelined_a{c=\"\\\\ \\\" \\n ü\"} 1\n"))
  }

  @Test func `leaves out a histogram with unknown buckets`() {
    var reply = Replies.busy
    reply.bucketBounds.removeLast()
    let text = MetricsText.text(of: reply, as: .prometheus)
    #expect(!text.contains("_bucket{"))
    #expect(text.contains("timelined_runs_in_progress{job=\"backup\"} 1\n"))
  }
}

@Suite struct DurationHistogramTests {
  @Test(
    arguments: [
      (.nanoseconds(-5), 0, 0), (.zero, 0, 0), (.milliseconds(1), 0, 1_000_000),
      (.milliseconds(1) + .nanoseconds(1), 1, 1_000_001), (.days(1), 9, 86_400_000_000_000),
      (.days(2), 10, 172_800_000_000_000), (.max, 10, .max),
    ] as [(ElapsedTime, Int, Int64)])
  func `counts a length in the first bucket that holds it`(_ length: ElapsedTime, _ bucket: Int, _ sum: Int64)
  {
    var histogram = DurationHistogram()
    #expect(histogram.orNil == nil)
    histogram.add(length)
    #expect(histogram.counts.indices.filter { histogram.counts[$0] == 1 } == [bucket])
    #expect(histogram.counts.count == DurationHistogram.bounds.count + 1 && histogram.sumNanoseconds == sum)
    histogram.add(.max)
    #expect(histogram.sumNanoseconds == .max && histogram.orNil == histogram)
  }
}

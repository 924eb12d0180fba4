import Foundation
import Synchronization
import Testing
import TimelineClientTestSupport
import TimelineControl
import TimelineCore
import TimelineEngineTestSupport
import TimelineJSON
import TimelineSystem
import TimelineWeb

@Suite struct `A plan on the web page` {
  /// The changes of a pair, as `before-after` in seconds.
  private func changes(_ pair: JSONValue) -> [String] {
    pair.elements(at: "/changes").map { change in
      ["/0", "/1"].map { Int64(change.text(at: $0)).map { "\($0 / 1_000)" } ?? "" }.joined(separator: "-")
    }
  }

  @Test(
    arguments: [
      (job("a", by: "400s"), job("a", by: "400s"), []),
      (job("a", by: "500s"), job("a", by: "250s"), ["a changed -250 -750"]),
      (job("a", by: "250s"), job("a", by: "500s"), ["a changed 250- 750-"]),
      (
        job("a", by: "400s"), job("a", by: "450s"), ["a changed 400-450 800-900"]
      ),
      (job("a", by: "600s"), job("b", by: "600s"), ["b added -0 -600", "a removed 0- 600-"]),
      (job("a", by: "600s"), job("a", by: "600s", #"expected-duration = "10s""#), ["a changed"]),
    ] as [(String, String, [String])])
  func `has the entries that differ`(before: String, after: String, expected: [String]) throws {
    let plan = try ConfiguredDaemon(before).plan(after)
    let found = plan.elements(at: "/pairs").map { pair in
      ([pair.text(at: "/name"), pair.text(at: "/change")] + changes(pair)).joined(separator: " ")
    }
    #expect(found == expected)
    #expect(plan.value(at: "/isShortened") == .boolean(false))
  }

  @Test func `names the differences, and has both rows in words`() throws {
    let plan = try ConfiguredDaemon(job("a", by: "500s") + job("b", by: "400s")).plan(
      job("a", by: "250s", "overlap = \"buffer-one\"\nexpected-duration = \"10s\"") + job("b", by: "400s"))
    #expect(
      plan.elements(at: "/pairs/0/differences").map { $0.text(at: "") } == [
        "schedule: every 8m20s from \(t(0)) → every 4m10s from \(t(0))", "expected-duration: 0s → 10s",
        "policies",
      ], "\(plan.text(at: "/pairs/0/differences"))")
    #expect(plan.text(at: "/pairs/0/before/summary") == "2 runs")
    #expect(plan.text(at: "/pairs/0/after/summary") == "4 runs")
    #expect(plan.text(at: "/pairs/0/counts") == "2 added")
    #expect(plan.elements(at: "/kept") == [.string("b")])
    #expect(plan.text(at: "/verdict").hasPrefix("1 of 2 jobs change"))
  }

  @Test func `names starts that move, and entries that end otherwise`() throws {
    let before = job("a", by: "400s") + job("b", by: "400s")
    let rule = "periodic = { by = \"400s\" }"
    let plan = try ConfiguredDaemon(before).plan(
      job("a", by: "400s").replacing(rule, with: "\(rule), accuracy = \"300s\"")
        + job("b", by: "400s").replacing(rule, with: "\(rule), except = [\"00:05-00:10\"]"))
    #expect(plan.text(at: "/pairs/0/counts") == "every entry stays, 2 starts moved by up to 3m20s", "\(plan)")
    #expect(
      ["/0", "/1", "/2"].map { plan.text(at: "/pairs/0/changes/0\($0)") } == ["400000", "600000", "starts"])
    #expect(plan.text(at: "/pairs/1/counts") == "1 ending otherwise", "\(plan)")
    #expect(plan.text(at: "/pairs/1/changes/0/2") == "ends: succeeded → excluded")
    #expect(plan.text(at: "/pairs/1/omittedChanges") == "0")
  }

  @Test func `has the errors of a text with line, column and the line`() throws {
    let plan = try ConfiguredDaemon(job("a", by: "500s")).plan("[job.a]\nplugin = \"exec\"\nschedul = 3\n")
    #expect(plan.value(at: "/pairs") == .null)
    let remark = plan.elements(at: "/remarks").first { $0.text(at: "/line") == "3" }
    #expect(remark?.value(at: "/isError") == .boolean(true))
    #expect(remark?.value(at: "/column") == .integer(1))
    #expect(remark?.text(at: "/text").hasPrefix("proposal:3:1: error: ") == true, "\(plan)")
    #expect(remark?.text(at: "/text").contains("3 | schedul = 3") == true)
  }

  @Test func `reads no file that the active configuration does not name`() throws {
    let directory = FileManager.default.temporaryDirectory
    let (known, other) = (
      directory.appending(path: "known-\(UUID().uuidString)").path,
      directory.appending(path: "other-\(UUID().uuidString)").path
    )
    defer { for path in [known, other] { try? FileManager.default.removeItem(atPath: path) } }
    for path in [known, other] { try "1970-01-02\n".write(toFile: path, atomically: true, encoding: .utf8) }
    let daemon = try ConfiguredDaemon("[holidays.h]\nfile = \"\(known)\"\n" + job("a", by: "500s"))
    let kept = try daemon.plan("[holidays.h]\nfile = \"\(known)\"\n" + job("a", by: "500s"))
    #expect(kept.elements(at: "/kept") == [.string("a")], "\(kept)")
    for path in [other, "/etc/passwd", "/nonexistent"] {
      let refused = try daemon.plan("[holidays.h]\nfile = \"\(path)\"\n" + job("a", by: "500s"))
      let texts = refused.elements(at: "/remarks").map { $0.text(at: "/text") }.joined()
      #expect(refused.value(at: "/pairs") == .null)
      #expect(texts.contains("\(path) is not read for a proposed configuration"), "\(texts)")
      #expect(!texts.contains("no such file") && !texts.contains("root:"), "\(texts)")
    }
    let crontabs = try daemon.plan("[include]\ncrontabs = [\"/etc/crontab\"]\n" + job("a", by: "500s"))
    #expect(crontabs.text(at: "/remarks/0/text").contains("crontabs are not read"), "\(crontabs)")
  }

  @Test func `shows no line of a file of the active configuration`() throws {
    // A crontab in a world-writable directory is not read.
    let directory = FileManager.default.temporaryDirectory.appending(path: "plan-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: directory) }
    let path = directory.appending(path: "crontab").path
    try "30 2 * * * root /bin/true --password=hunter2\n".write(
      toFile: path, atomically: true, encoding: .utf8)
    let included = "[include]\ncrontabs = [\"\(path)\"]\n"
    let daemon = try ConfiguredDaemon(included)
    let name = try daemon.plan(included).text(at: "/kept/0")
    let plan = try daemon.plan(included + job(name, by: "500s"))
    let text = plan.elements(at: "/remarks").map { $0.text(at: "/text") }.joined()
    #expect(text.contains("there is a job `\(name)` already"), "\(plan)")
    #expect(!text.contains("hunter2"), "\(text)")
  }

  @Test func `ends early with too many entries, and has the instant of its end`() throws {
    let plan = try ConfiguredDaemon(job("a", by: "1s")).plan(job("a", by: "2s"), seconds: 10_000_000)
    #expect(plan.value(at: "/isShortened") == .boolean(true))
    #expect(plan.elements(at: "/pairs/0/changes").count == WebLimits.changesOfJobMax)
    guard case .integer(let omitted)? = plan.value(at: "/pairs/0/omittedChanges") else {
      Issue.record("no number")
      return
    }
    #expect(omitted > 1_000)
  }

  @Test func `continues to its end if many entries do not change`() throws {
    let dense = "[job.dense]\nplugin = \"exec\"\nschedule = { periodic = { by = \"100ms\" } }\n"
    let plan = try ConfiguredDaemon(dense + job("a", by: "500s")).plan(
      dense + job("a", by: "250s"), seconds: 20_000)
    #expect(plan.value(at: "/isShortened") == .boolean(false), "\(plan)")
    #expect(plan.elements(at: "/kept") == [.string("dense")] && plan.elements(at: "/pairs").count == 1)
  }

  @Test func `ends early at its time limit`() throws {
    let ticks = Mutex<Int64>(0)
    let daemon = try ConfiguredDaemon(
      job("a", by: "1s"),
      clock: {
        MonotonicInstant(
          nanosecondsSinceBoot: ticks.withLock { ticks in
            ticks += 1
            return ticks * 1_000_000_000
          })
      })
    let plan = try daemon.plan(job("a", by: "2s"), seconds: 20_000)
    #expect(plan.value(at: "/isShortened") == .boolean(true))
  }

  @Test func `works on a read-only server, calls no method that changes something, and is bounded`() throws {
    let daemon = try ConfiguredDaemon(job("a", by: "500s"), isReadOnly: true)
    #expect(try daemon.plan(job("a", by: "250s")).elements(at: "/pairs").count == 1)
    #expect(Set(daemon.daemon.state.withLock { $0.calls }).isSubset(of: ["Status", "List"]))
    for body in ["", "{}", "[]", #"{"configuration":3}"#] {
      #expect(try daemon.reply("POST", "/api/plan", body: body).status == 400)
    }
    let comment = String(repeating: "#", count: WebLimits.proposalBytesMax)
    #expect(try daemon.plan(comment).value(at: "/pairs") != nil)
    #expect(
      try daemon.reply("POST", "/api/plan", body: #"{"configuration":"\#(comment)#"}"#).status == 413)
    #expect(WebRoute.signIn.bodyBytesMax == WebLimits.bodyBytesMax)
  }
}

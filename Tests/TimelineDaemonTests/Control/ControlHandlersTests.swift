import Testing
import TimelineControl
import TimelineCore
import TimelineLedger
import TimelineSystem
import TimelineTestSupport

@testable import TimelineDaemon

@Suite struct ControlHandlersTests {
  /// The rules of each call: access, whether a daemon that drains answers, replies, and the recorded action.
  static let rules = """
    List            read           answered  pages   -
    Why             read           answered  single  -
    Gaps            read           answered  single  -
    Next            read           answered  single  -
    Explain         read           answered  single  -
    History         read           answered  pages   -
    Pause           change         refused   single  pause
    Resume          change         refused   single  resume
    Release         change         refused   single  release
    Trigger         change         refused   single  trigger
    Rerun           change         refused   single  rerun
    Cancel          change         answered  single  cancel
    Backfill        change         refused   single  backfill
    ChangeBackfill  change         refused   single  backfill
    Backfills       read           answered  single  -
    Watch           read           answered  events  -
    Logs            read           answered  single  -
    Status          read           answered  single  -
    Metrics         read           answered  pages   -
    Configuration   readProtected  answered  pages   -
    Reload          change         refused   single  reload
    Backup          change         refused   single  -
    Mode            read           answered  single  -
    SetMode         change         refused   single  mode
    Stop            change         answered  single  stop
    Clock           read           answered  single  -
    PauseClock      change         refused   single  clock
    ResumeClock     change         refused   single  clock
    SetClockSpeed   change         refused   single  clock
    StepClock       change         refused   single  clock
    LeapClock       change         refused   single  clock
    Cluster         read           answered  single  -
    ClusterHistory  read           answered  single  -
    ActivateJobs    change         refused   single  activate
    LeaveCluster    change         refused   single  leave
    """.split(separator: "\n").map(String.init)

  private static let calls = ControlHandlers().calls

  private static func row<Call: ControlCall>(_ call: Call.Type) -> String {
    let replies =
      switch Call.replies {
      case .single: "single"
      case .pages: "pages"
      case .events: "events"
      }
    let cells = [(Call.name, 16), ("\(Call.access)", 15), ("\(Call.whileDraining)", 10), (replies, 8)]
    return cells.map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined() + (Call.audit ?? "-")
  }

  @Test func `each call has these rules`() {
    #expect(Self.calls.map { Self.row($0) } == Self.rules)
  }

  @Test func `each method of the interface has one handler`() {
    #expect(Self.calls.map { $0.name }.sorted() == ControlInterface.methods.sorted())
  }

  @Test func `the interface text lists the methods that each client may call`() throws {
    let sentence = try #require(
      ControlInterface.description.split(separator: "# These methods only read:\n# ").last?
        .prefix { $0 != "." })
    let open = Self.calls.filter { !$0.access.needsPermission }.map { $0.name }
    // The sentence has several lines.
    let names = sentence.replacing("\n# ", with: " ").split(separator: ", ").map(String.init)
    #expect(names.sorted() == open.sorted())
  }

  @Test func `the ledger records each action of operators, and no other`() {
    let actions = Set(Self.calls.compactMap { $0.audit })
    #expect(actions == Set(OperatorAction.Verb.allCases.map(\.rawValue)))
  }
  @Test func `a daemon that drains refuses calls by their rules, after their parameters were checked`() throws
  {
    let workshop = try Workshop()
    let (daemon, gate) = try `How the daemon is stopped`.daemon(workshop)
    try daemon.child.signal(.terminate)
    try daemon.line(containing: "stopping; waiting for 1 run")
    for call in Self.calls where call.whileDraining == .refused {
      let wrong: [String: String] = try daemon.call(call.name, ["nonsense": 1])
      #expect(wrong["parameter"] != nil, "\(call)")
    }
    let valid: [any ControlCall] = [
      Control.Reload(), Control.Trigger(job: "held"),
      Control.Rerun(job: "held", moment: "now"), Control.Pause(jobs: ["held"]),
      Control.Resume(job: "held"), Control.Release(job: "held"), Control.PauseClock(),
      Control.SetMode(mode: .auto), Control.ActivateJobs(jobs: []), Control.LeaveCluster(), Control.Backup(),
    ]
    for call in valid {
      // The error has no parameters.
      let reply: [String: String] = try daemon.call(type(of: call).name, call)
      #expect(reply.isEmpty, "\(call)")
    }
    try gate.open()
    #expect(try daemon.finish() == .exited(0))
  }
}

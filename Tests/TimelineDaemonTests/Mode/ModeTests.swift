import Foundation
import Testing
import TimelineControl
import TimelineCore
import TimelineSystem
import TimelineTestSupport

/// The mode of a real daemon on a simulated machine.
@Suite struct `The mode of a real daemon` {
  /// Files in place of those of the kernel.
  struct Machine {
    let root: String

    init(in workshop: Workshop) throws {
      root = workshop.path + "/machine"
      for directory in ["proc/pressure", "sys/class/power_supply/AC", "sys/class/power_supply/BAT0"] {
        try FileManager.default.createDirectory(
          atPath: "\(root)/\(directory)", withIntermediateDirectories: true)
      }
      try write("Mains", to: "sys/class/power_supply/AC/type")
      try write("Battery", to: "sys/class/power_supply/BAT0/type")
      try plug(true)
      try press("0.00")
    }

    func plug(_ isOnline: Bool) throws {
      try write(isOnline ? "1" : "0", to: "sys/class/power_supply/AC/online")
      try write(isOnline ? "Charging" : "Discharging", to: "sys/class/power_supply/BAT0/status")
    }

    func press(_ share: String) throws {
      try write("some avg10=\(share) avg60=0.00 avg300=0.00 total=0", to: "proc/pressure/cpu")
    }

    private func write(_ text: String, to path: String) throws {
      try Data((text + "\n").utf8).write(to: URL(filePath: "\(root)/\(path)"), options: .atomic)
    }
  }

  private static func configure(_ workshop: Workshop, _ settings: String) throws {
    try workshop.compile(directory: "Tests/BrokenPlugins/steady")
    try workshop.configure(
      """
      \(settings)
      [job.loop]
      plugin = "steady"
      schedule = { animation = { minimum-interval = "2s" } }
      [job.steady]
      plugin = "steady"
      schedule = \(everySecond)
      """)
  }

  private static func start(_ workshop: Workshop, _ machine: Machine) throws -> DaemonProcess {
    let daemon = try DaemonProcess(workshop, arguments: ["--machine-root", machine.root])
    try daemon.begin()
    return daemon
  }

  private static func mode(_ daemon: DaemonProcess, _ words: String...) throws -> ModeState {
    let answer = try daemon.control(["mode"] + words + ["--json"])
    return try JSONDecoder().decode(ModeState.self, from: Data(answer.output.utf8))
  }

  @Test func `an operator's choice outlives the daemon, leaves animations out, and is recorded`() throws {
    let workshop = try Workshop()
    let machine = try Machine(in: workshop)
    try Self.configure(workshop, "")
    var daemon = try Self.start(workshop, machine)
    try daemon.line(containing: "loop", "succeeded")
    let watcher = try StartedProgram(
      [BuiltProgram.control, "-s", daemon.socketPath, "watch"], on: daemon.loop)
    try daemon.wait(for: "the watcher") { watcher.printed.contains("watching") }
    let first = try Self.mode(daemon)
    #expect(first.mode == "normal" && first.cadence == "live" && first.cause == "none" && first.by == nil)

    let chosen = try Self.mode(daemon, "low-frequency")
    #expect(chosen.mode == "low-frequency" && chosen.cadence == "minutes" && chosen.choice == "low-frequency")
    #expect(chosen.cause == "operator" && chosen.by?.uid == CurrentProcess.effectiveUser)
    #expect(try Self.mode(daemon, "low-frequency") == chosen, "chosen again it is the same")
    try daemon.line(containing: "mode chosen by", "; low-frequency")
    let words = "low-frequency, cadence minutes: chosen by an operator, by "
    try daemon.line(containing: "mode \(words)")
    try daemon.wait(for: "the watcher's line") { watcher.printed.contains("mode-changed  \(words)") }
    #expect(try daemon.control("status").output.contains("low-frequency: chosen by an operator"))
    let beats = daemon.settled("steady").count
    try daemon.wait(for: "the other job to go on") { daemon.settled("steady").count >= beats + 4 }
    let now = try daemon.control("why", "loop", "now").output
    #expect(
      now.contains("low-frequency, cadence minutes since ") && now.contains("chosen by an operator"), "\(now)"
    )
    #expect(try daemon.stop() == .exited(0))

    daemon = try Self.start(workshop, machine)
    let kept = try Self.mode(daemon)
    #expect(kept == chosen)
    try daemon.line(containing: "mode \(words)")
    let history = try `The verbs that look back and hold on, on a real daemon`.decode(
      EntryReport.self, daemon.control("history", "loop", "--json").output)
    let left = try #require(history.last { $0.outcome == "low-frequency" }, "\(history)")
    #expect(left.startedAt == nil && left.reason == "timelined was in low-frequency mode")
    #expect(daemon.settled("loop").isEmpty)
    let why = try daemon.control("why", "loop", left.entry.instant.description).output
    #expect(why.contains("low-frequency, cadence minutes since ") && why.contains(", by "), "\(why)")
    let text = try daemon.control("mode", "auto").output
    #expect(
      text.contains("mode     normal") && text.contains("chosen   auto (no operator's choice)"), "\(text)")
    try daemon.line(containing: "loop", "succeeded")
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `battery and pressure change it as configured`() throws {
    let workshop = try Workshop()
    let machine = try Machine(in: workshop)
    try machine.plug(false)
    try Self.configure(
      workshop,
      """
      [daemon.low-frequency]
      on-battery = true
      cadence = "seconds"
      pressure = { cpu = "60%", for = "0s" }
      """)
    let daemon = try Self.start(workshop, machine)
    try daemon.line(containing: "mode low-frequency, cadence seconds: on battery (BAT0)")
    let battery = try Self.mode(daemon)
    #expect(battery.cause == "battery" && battery.cadence == "seconds" && battery.choice == "auto")
    try machine.plug(true)
    // Makes the daemon read the machine's state at once.
    _ = try Self.mode(daemon, "auto")
    try daemon.line(containing: "mode normal: no condition of `low-frequency` holds")
    try machine.press("75.31")
    _ = try Self.mode(daemon, "auto")
    try daemon.line(containing: "mode low-frequency, cadence seconds: cpu pressure at 60% or above for 0s")
    try machine.press("35.00")
    let count = daemon.lines.count
    _ = try Self.mode(daemon, "auto")
    #expect(try Self.mode(daemon).mode == "low-frequency", "35% is above the release")
    try machine.press("1.00")
    _ = try Self.mode(daemon, "auto")
    try daemon.line(containing: "mode normal: no condition of `low-frequency` holds", after: count)

    try Self.configure(workshop, "mode = \"low-frequency\"")
    #expect(try daemon.control("reload").end == .exited(0))
    let fixed = try Self.mode(daemon)
    #expect(fixed.mode == "low-frequency" && fixed.cause == "configuration" && fixed.cadence == "minutes")
    #expect(try daemon.stop() == .exited(0))
  }

  /// Compiles `patient`, a plugin whose runs wait until the mode differs from the one in their context.
  private static func compilePatient(_ workshop: Workshop) throws {
    try workshop.compile(
      """
      #include <timelined_plugin.h>
      #include <unistd.h>

      static timelined_status run(void *instance, const timelined_context *context) {
        (void)instance;
        timelined_mode mode = context->mode;
        timelined_cadence cadence = context->cadence;
        TIMELINED_LOG(context, TIMELINED_NOTICE, mode ? "begun low" : "begun normal");
        while (!context->host->is_cancelled(context->call) && mode == context->mode) {
          context->host->current_mode(context->call, &mode, &cadence);
          usleep(10000);
        }
        if (mode == context->mode) return TIMELINED_FAIL(context, "not told");
        if (cadence != (mode ? TIMELINED_CADENCE_MINUTES : TIMELINED_CADENCE_LIVE))
          return TIMELINED_FAIL(context, "told another cadence");
        context->host->set_result(context->call, "told");
        return TIMELINED_OK;
      }

      static const timelined_plugin table = {
          TIMELINED_PLUGIN_HEAD, .name = "patient", .version = "1.0", .summary = "waits for a mode", .run = run};

      TIMELINED_EXPORT const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
        (void)host;
        return &table;
      }
      """, name: "patient")
  }

  @Test func `an active run is informed when the mode changes`() throws {
    let workshop = try Workshop()
    let machine = try Machine(in: workshop)
    try Self.compilePatient(workshop)
    try workshop.configure("[job.patient]\nplugin = \"patient\"\nschedule = \(never)")
    let daemon = try Self.start(workshop, machine)
    #expect(try daemon.control("trigger", "patient").end == .exited(0))
    try daemon.line(containing: "begun normal")
    _ = try Self.mode(daemon, "low-frequency")
    try daemon.wait(for: "the end of the run") {
      daemon.settled("patient").contains { $0.outcome == "succeeded" }
    }
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `a run that waits for a plugin host when the mode changes begins in the new mode`() throws {
    let workshop = try Workshop()
    let machine = try Machine(in: workshop)
    try Self.compilePatient(workshop)
    let jobs = ["first", "late"].map { "[job.\($0)]\nplugin = \"patient\"\nschedule = \(never)\n" }
    try workshop.configure(jobs.joined(), daemon: "plugin-hosts-max = 1")
    let daemon = try Self.start(workshop, machine)
    #expect(try daemon.control("trigger", "first").end == .exited(0))
    try daemon.line(containing: "first", "begun normal")
    #expect(try daemon.control("trigger", "late").output == "late: waits for its turn\n")
    _ = try Self.mode(daemon, "low-frequency")
    try daemon.line(containing: "late", "begun low")
    _ = try Self.mode(daemon, "normal")
    try daemon.wait(for: "the end of both") {
      (daemon.settled("first") + daemon.settled("late")).map(\.outcome) == ["succeeded", "succeeded"]
    }
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `each kernel file that cannot be read is reported once`() throws {
    let workshop = try Workshop()
    let machine = try Machine(in: workshop)
    try Self.configure(
      workshop,
      "[daemon.low-frequency]\npressure = { cpu = \"60%\", memory = \"10%\", io = \"40%\", for = \"0s\" }")
    let daemon = try Self.start(workshop, machine)
    let words = ["memory", "io"].map { "low-frequency mode: \(machine.root)/proc/pressure/\($0): " }
    for words in words {
      try daemon.line(containing: words, "no such file or directory", ": this condition is ignored")
    }
    try machine.press("75.31")
    _ = try Self.mode(daemon, "auto")
    try daemon.line(containing: "mode low-frequency, cadence minutes: cpu pressure at 60%")
    #expect(try daemon.stop() == .exited(0))
    for words in words { #expect(daemon.lines.count { $0.contains(words) } == 1) }
  }
}

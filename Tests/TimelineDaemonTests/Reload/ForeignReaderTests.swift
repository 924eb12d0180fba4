import Foundation
import Glibc
import Testing
import TimelineControl
import TimelineCore
import TimelineSystem
import TimelineTestSupport

@Suite struct `A reader that has stalled` {
  private static func workshop() throws -> Workshop {
    let workshop = try Workshop()
    try workshop.compile(directory: "Tests/BrokenPlugins/steady")
    try workshop.compile(
      """
      #include <timelined_plugin.h>
      static timelined_status run(void *instance, const timelined_context *context) {
        (void)instance;
        for (int line = 0; line < 1500; line++)
          TIMELINED_LOG(context, TIMELINED_INFO,
                        "0123456789012345678901234567890123456789012345678901234567890123456789");
        return TIMELINED_OK;
      }
      static const timelined_plugin table = {
          TIMELINED_PLUGIN_HEAD, .name = "chatty", .version = "1.0", .summary = "many words", .run = run};
      const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
        (void)host;
        return &table;
      }
      """, name: "chatty")
    try workshop.configure(
      """
      [job.chatty]
      plugin = "chatty"
      schedule = \(never)
      [job.steady]
      plugin = "steady"
      schedule = \(everySecond)
      """)
    return workshop
  }

  /// Polls the condition, because the daemon prints nothing that the test can read.
  private func wait(
    _ daemon: DaemonProcess, for what: String, until condition: () throws -> Bool
  ) throws {
    for _ in 1...300 {
      if try condition() { return }
      var isOver = false
      daemon.loop.after(.milliseconds(100)) { isOver = true }
      try daemon.wait(for: "a moment") { isOver }
    }
    throw TestFailure("\(what) did not come")
  }

  /// Checks that a job that falls due every second is still run.
  private func expectStarts(_ daemon: DaemonProcess) throws {
    func count() throws -> Int {
      try daemon.list().first { $0.name == "steady" }?.outcomes["succeeded"] ?? 0
    }
    let before = try count()
    try wait(daemon, for: "three more runs") { try count() >= before + 3 }
  }

  @Test func `of the log delays no start of a job, and no stop`() throws {
    let workshop = try Self.workshop()
    // The daemon's output goes into a pipe that is never read.
    let daemon = try DaemonProcess(
      workshop, command: ["/bin/sh", "-c", "\"$0\" \"$@\" | sleep 1000"])
    try wait(daemon, for: "the socket") { try daemon.control("status").end == .exited(0) }
    for _ in 1...3 { #expect(try daemon.control("trigger", "chatty", "--wait").end == .exited(0)) }
    try expectStarts(daemon)
    #expect(try daemon.control("stop").end == .exited(0))
    try wait(daemon, for: "the end") { try daemon.control("status").end != .exited(0) }
  }

  @Test func `of messages to systemd delays no start of a job`() throws {
    let workshop = try Self.workshop()
    let path = workshop.path + "/notify.sock"
    let descriptor = FileDescriptor(
      owning: socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0))
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let number = descriptor.rawValue
    let code = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    #expect(code == 0)
    // The watchdog sends several messages per second, which fill the socket in a second or two.
    let daemon = try DaemonProcess(
      workshop, variables: ["NOTIFY_SOCKET": path, "WATCHDOG_USEC": "4000"])
    try daemon.begin()
    try expectStarts(daemon)
    #expect(try daemon.stop() == .exited(0))
    withExtendedLifetime(descriptor) {}
  }
}

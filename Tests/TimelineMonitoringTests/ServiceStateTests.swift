import Testing

@testable import TimelineMonitoring

@Suite struct `A service that does not answer` {
  @Test(
    arguments: [
      ("failed", "exit-code", 78, "has refused its configuration", "timelinectl check"),
      ("failed", "signal", 9, "has failed (signal, status 9)", "systemctl reset-failed timelined.service"),
      ("inactive", "success", 0, "is stopped", "systemctl start timelined"),
      ("activating", "success", 0, "is starting", "systemctl status timelined"),
    ] as [(String, String, Int32, String, String)])
  func `names the cause and the remedy`(
    _ active: String, _ result: String, _ status: Int32, _ fact: String, _ remedy: String
  ) throws {
    let text = try #require(ServiceState.cause(active: active, result: result, exitStatus: status))
    #expect(text.hasPrefix("timelined.service \(fact)") && text.contains(remedy), "\(text)")
  }

  @Test func `has no cause if it is active`() {
    #expect(ServiceState.cause(active: "active", result: "success", exitStatus: 0) == nil)
  }
}

import Testing

@testable import TimelineDaemon

@Suite struct `The end of the service` {
  @Test(
    arguments: [
      ("success", "0", .resetStarts), ("exit-code", "78", .stopSocket), ("exit-code", "70", nil),
      ("signal", "KILL", nil), ("watchdog", "ABRT", nil), (nil, nil, nil),
    ] as [(String?, String?, ServiceEnd.Action?)])
  func `decides what becomes of its limits`(
    _ result: String?, _ status: String?, _ action: ServiceEnd.Action?
  ) {
    #expect(ServiceEnd.action(result: result, exitStatus: status) == action)
  }
}

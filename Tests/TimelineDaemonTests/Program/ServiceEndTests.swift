import Testing

@testable import TimelineDaemon

@Suite struct `The end of the service` {
  @Test(
    arguments: [
      ("success", "0", .resetStarts), ("exit-code", "78", .stopSocket), ("exit-code", "70", nil),
      ("signal", "KILL", nil), ("watchdog", "ABRT", nil), (nil, nil, nil),
    ] as [(String?, String?, ServiceEnd.Action?)])
  func `resets the start counter, stops the socket unit or has no effect, by its result`(
    _ result: String?, _ status: String?, _ action: ServiceEnd.Action?
  ) {
    #expect(ServiceEnd.action(result: result, exitStatus: status) == action)
  }
}

import Foundation
import Testing
import TimelineCore

@testable import TimelineControl

@Suite struct VarlinkServerConnectionTests {
  private func connection() -> VarlinkServerConnection {
    VarlinkServerConnection(service: VarlinkService(version: "1.2.3"))
  }

  private func message(_ text: String) -> [UInt8] { Array(text.utf8) + [0] }

  /// Removes and returns all output, as messages.
  private func output(_ connection: VarlinkServerConnection) -> [String] {
    let texts = connection.output.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    connection.wrote(connection.output.count)
    return texts
  }

  @Test func `a reply that cannot be written is an error of that call, and the next one is served`() throws {
    let connection = connection()
    struct Unwritable: Encodable { var share = Double.nan }
    connection.receive(message(#"{"method":"io.timelined.Control.Status","more":true}"#))
    let call = try #require(connection.nextCall())
    connection.reply(to: call.id, Unwritable(), continues: true)
    connection.reply(to: call.id, StopReply(runningCount: 1))
    let output = output(connection)
    #expect(
      output.count == 1 && output[0].hasPrefix(#"{"error":"io.timelined.Control.ReplyFailed""#), "\(output)")
    #expect(connection.fault == nil && !connection.isServing)
    connection.receive(message(#"{"method":"io.timelined.Control.Status"}"#))
    #expect(connection.nextCall() != nil)
  }

  @Test(arguments: [
    (
      #"{"method":"org.varlink.service.GetInfo"}"#,
      #"{"parameters":{"interfaces":["org.varlink.service","io.timelined.Control"],"product":"timelined","url":"","vendor":"timelined","version":"1.2.3"}}"#
    ),
    (
      #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"org.nobody"}}"#,
      #"{"error":"org.varlink.service.InterfaceNotFound","parameters":{"interface":"org.nobody"}}"#
    ),
    (
      #"{"method":"org.varlink.service.GetInterfaceDescription"}"#,
      #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"interface"}}"#
    ),
    (
      #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":7}}"#,
      #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"interface"}}"#
    ),
    (
      #"{"method":"org.varlink.service.GetInfo","parameters":{"interface":"a"}}"#,
      #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"interface"}}"#
    ),
    (
      #"{"method":"org.varlink.service.Frobnicate","parameters":{}}"#,
      #"{"error":"org.varlink.service.MethodNotFound","parameters":{"method":"org.varlink.service.Frobnicate"}}"#
    ),
    (
      #"{"method":"io.timelined.Control.Frobnicate","parameters":{}}"#,
      #"{"error":"org.varlink.service.MethodNotFound","parameters":{"method":"io.timelined.Control.Frobnicate"}}"#
    ),
    (
      #"{"method":"org.nobody.X"}"#,
      #"{"error":"org.varlink.service.InterfaceNotFound","parameters":{"interface":"org.nobody"}}"#
    ),
    (
      #"{"method":"Status"}"#,
      #"{"error":"org.varlink.service.InterfaceNotFound","parameters":{"interface":""}}"#
    ),
    (
      #"{"method":"io.timelined.Control.Status","upgrade":true}"#,
      #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"upgrade"}}"#
    ),
  ])
  func `calls that need no daemon are answered at once`(call: String, reply: String) {
    let connection = connection()
    connection.receive(message(call))
    #expect(connection.nextCall() == nil)
    #expect(output(connection) == [reply])
    #expect(connection.fault == nil && !connection.isServing)
  }

  @Test(arguments: ["org.varlink.service", "io.timelined.Control"])
  func `every interface describes itself`(name: String) throws {
    let connection = connection()
    connection.receive(
      message(
        #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"\#(name)"}}"#))
    #expect(connection.nextCall() == nil)
    let reply = try JSONSerialization.jsonObject(with: Data(try #require(output(connection).first).utf8))
    let text = try #require(
      ((reply as? [String: Any])?["parameters"] as? [String: Any])?["description"] as? String)
    #expect(try InterfaceDescription(parsing: text).name == name)
  }

  @Test func `calls sent ahead are served one after the other and answered in order`() throws {
    let connection = connection()
    connection.receive(
      message(#"{"method":"io.timelined.Control.Trigger","parameters":{"job":"a"}}"#)
        + message(#"{"method":"org.varlink.service.Nothing"}"#)
        + message(#"{"method":"io.timelined.Control.Stop"}"#))
    let first = try #require(connection.nextCall())
    #expect(try first.read(as: Control.Trigger.self).job == "a")
    #expect(connection.nextCall() == nil && connection.isServing)
    #expect(!connection.wantsInput, "what is sent ahead waits at the client's")
    connection.reply(to: first.id, TriggerReply(run: 3))
    let second = try #require(connection.nextCall())
    #expect(try second.read(as: Control.Stop.self).now == nil)
    #expect(connection.wantsInput)
    connection.reply(to: first.id, TriggerReply(run: 99))
    connection.reply(to: second.id, StopReply(runningCount: 0))
    #expect(
      output(connection) == [
        #"{"parameters":{"run":3}}"#,
        #"{"error":"org.varlink.service.MethodNotFound","parameters":{"method":"org.varlink.service.Nothing"}}"#,
        #"{"parameters":{"runningCount":0}}"#,
      ], "a second reply to the first call is not sent")
  }

  @Test func `further replies go to calls with more, and other calls have the last one`() throws {
    for wantsMore in [true, false] {
      let connection = connection()
      connection.receive(
        message(#"{"method":"io.timelined.Control.Trigger","parameters":{"job":"a"},"more":\#(wantsMore)}"#))
      let call = try #require(connection.nextCall())
      #expect(call.wantsMore == wantsMore)
      connection.reply(to: call.id, TriggerReply(run: 3), continues: true)
      connection.reply(to: call.id, TriggerReply(run: 3, progressMillionths: 5), continues: true)
      connection.reply(to: call.id, TriggerReply(run: 3, progressText: "done"))
      let continued = [
        #"{"continues":true,"parameters":{"run":3}}"#,
        #"{"continues":true,"parameters":{"progressMillionths":5,"run":3}}"#,
      ]
      #expect(
        output(connection) == (wantsMore ? continued : []) + [
          #"{"parameters":{"progressText":"done","run":3}}"#
        ])
      #expect(!connection.isServing)
    }
  }

  @Test func `a oneway call gets no reply, not even an error`() throws {
    let connection = connection()
    connection.receive(
      message(#"{"method":"org.nobody.X","oneway":true}"#)
        + message(#"{"method":"io.timelined.Control.Reload","oneway":true}"#)
        + message(#"{"method":"io.timelined.Control.Status"}"#))
    let reload = try #require(connection.nextCall())
    #expect(reload.isOneway)
    connection.fail(reload.id, ControlError.shuttingDown.varlink)
    let status = try #require(connection.nextCall())
    #expect(try Samples.read(status) is Control.Status)
    #expect(output(connection).isEmpty)
  }

  @Test(arguments: [
    "", "null", "[]", "{}", "{\"method\":7}", "{\"method\":\"a.B\",\"more\":1}", "{\"method\":\"a.B\"",
    "\u{FEFF}{}", "nonsense",
    String(repeating: "[", count: 60_000),
  ])
  func `an invalid call ends the connection`(text: String) {
    let connection = connection()
    connection.receive(message(text))
    #expect(connection.nextCall() == nil)
    #expect(connection.fault == .malformedRequest)
    connection.receive(message(#"{"method":"org.varlink.service.GetInfo"}"#))
    #expect(connection.nextCall() == nil && connection.output.isEmpty && !connection.wantsInput)
  }

  @Test(arguments: [true, false])
  func `a request over the limit ends the connection, with or without an end`(hasEnd: Bool) {
    let connection = connection()
    let call = #"{"method":"org.varlink.service.GetInfo","parameters":{"x":""#
    let fits =
      call + String(repeating: "x", count: ControlLimits.requestBytesMax - call.utf8.count - 4) + "\"}}"
    connection.receive(message(fits))
    #expect(connection.nextCall() == nil && connection.fault == nil && output(connection).count == 1)
    connection.receive(Array(repeating: UInt8(ascii: " "), count: ControlLimits.requestBytesMax - 1))
    #expect(connection.fault == nil && connection.hasPartialRequest)
    connection.receive(hasEnd ? Array("  ".utf8) + [0] : [0x20])
    #expect(connection.fault == .requestTooLong)
  }

  @Test func `a client that does not read is disconnected`() throws {
    let connection = connection()
    connection.receive(
      message(#"{"method":"io.timelined.Control.Trigger","parameters":{"job":"a"},"more":true}"#))
    let call = try #require(connection.nextCall())
    let reply = TriggerReply(run: 1, progressText: String(repeating: "x", count: 1 << 20))
    while connection.fault == nil { connection.reply(to: call.id, reply, continues: true) }
    #expect(connection.fault == .clientTooSlow)
    #expect(connection.output.count <= ControlLimits.outputBytesMax)
  }

  @Test(arguments: [true, false])
  func `a reply over the limit is replaced by an error, and the connection continues`(isLast: Bool)
    throws
  {
    let connection = connection()
    connection.receive(
      message(#"{"method":"io.timelined.Control.List","more":true}"#)
        + message(#"{"method":"io.timelined.Control.Status"}"#))
    let list = try #require(connection.nextCall())
    let reply = TriggerReply(run: 1, progressText: String(repeating: "x", count: ControlLimits.replyBytesMax))
    connection.reply(to: list.id, reply, continues: !isLast)
    #expect(
      output(connection) == [
        #"{"error":"io.timelined.Control.ReplyTooLong","parameters":{"method":"io.timelined.Control.List"}}"#
      ])
    #expect(connection.fault == nil && !connection.isServing)
    #expect(try Samples.read(#require(connection.nextCall())) is Control.Status)
  }

  @Test func `output can be sent in any portions`() throws {
    let connection = connection()
    connection.receive(message(#"{"method":"org.varlink.service.GetInfo"}"#))
    _ = connection.nextCall()
    let whole = Array(connection.output)
    var portions: [UInt8] = []
    for size in [1, 2, 3, 5, 8, 13, 21, 34, 55, 89] {
      let portion = connection.output.prefix(size)
      portions += portion
      connection.wrote(portion.count)
    }
    portions += connection.output
    #expect(portions == whole)
  }
}

import Foundation
import Testing
import TimelineControl
import TimelineCore
import TimelineSystem
import TimelineTestSupport

@testable import TimelineDaemon

@Suite struct `Slow, silent and many clients of the control socket` {
  /// Program that connects as often as its argument states, begins a request each time, and then waits until it is killed.
  static let crowd = """
    #include <string.h>
    #include <stdlib.h>
    #include <stdio.h>
    #include <sys/socket.h>
    #include <sys/un.h>
    #include <unistd.h>
    int main(int count, char **words) {
      struct sockaddr_un address = {.sun_family = AF_UNIX};
      if (count != 3) return 1;
      strcpy(address.sun_path, words[1]);
      for (int left = atoi(words[2]); left > 0; left--) {
        int client = socket(AF_UNIX, SOCK_STREAM, 0);
        if (connect(client, (struct sockaddr *)&address, sizeof address) != 0) return 2;
        send(client, "{", 1, MSG_NOSIGNAL);
        usleep(2000);
      }
      while (pause() == -1) continue;
    }
    """

  @Test(
    .enabled(
      if: isRoot && canBeNobody, "only root can become another user, who must be able to reach the build"))
  func `read-only clients do not keep out a user with write access`() throws {
    let workshop = try Workshop()
    let (daemon, _) = try `The control socket of a real daemon`.daemon(
      workshop, settings: "[control]\ngroup = \"nogroup\"")
    let program = workshop.path + "/crowd"
    try shell("cc", "-o", program, try workshop.write(Self.crowd, to: "crowd.c"))
    let crowd = try StartedProgram(
      ["/usr/bin/setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", program, daemon.socketPath]
        + ["500"], on: daemon.loop)
    try daemon.line(containing: "hung up on a client", ": its place was needed")
    #expect(try daemon.control("trigger", "steady").end == .exited(0))
    #expect(try daemon.stop() == .exited(0))
    withExtendedLifetime(crowd) {}
  }

  @Test func `slow clients disturb no job and are disconnected`() throws {
    let workshop = try Workshop()
    let (daemon, _) = try `The control socket of a real daemon`.daemon(workshop)
    let half = try SlowClient(daemon, says: "{\"method\":\"io.timelined.Control.Sta")
    let drip = try SlowClient(daemon, says: "{")
    drip.drip(" ", every: .milliseconds(500), on: daemon.loop)
    let deaf = try SlowClient(daemon, says: "")
    deaf.ask("{\"method\":\"io.timelined.Control.GetNothing\"}\0", on: daemon.loop)
    let flood = try SlowClient(daemon, says: String(repeating: "x", count: 200_000))
    let nonsense = try SlowClient(daemon, says: "GET / HTTP/1.1\r\n\r\n\0")
    let idle = try SlowClient(daemon, says: "")
    try daemon.wait(for: "the end of all of them") {
      [half, drip, deaf, flood, nonsense].allSatisfy(\.isHungUpOn)
    }
    #expect(!idle.isHungUpOn, "whoever says nothing is in nobody's way")
    try daemon.line(containing: "hung up on a client of the control socket, process ", ": ")
    #expect(daemon.lines.count { $0.contains("hung up on") } == 1, "the others are told of later")
    #expect(try daemon.status().jobCount == 3)
    #expect(try daemon.stop() == .exited(0))
    let entries = daemon.settled("steady")
    #expect(entries.count >= 8, "\(entries)")
    #expect(entries.allSatisfy { $0.outcome == "succeeded" && $0.isOnTime }, "\(entries)")
    let seconds = entries.compactMap(\.second)
    #expect(zip(seconds, seconds.dropFirst()).allSatisfy { $1 == ($0 + 1) % 86_400 }, "\(seconds)")
  }

  @Test func `connections without a request, or with an unfinished one, keep no client out`() throws {
    let workshop = try Workshop()
    let (daemon, gate) = try `The control socket of a real daemon`.daemon(workshop)
    let waiting = try StartedProgram(
      [BuiltProgram.control, "-s", daemon.socketPath, "trigger", "held", "--wait"], on: daemon.loop)
    try daemon.line(containing: "held", "at the gate")
    let count = ControlPlaces.connections.max
    for text in ["", "{"] {
      let clients = try (0...count).map { _ in try SlowClient(daemon, says: text) }
      #expect(try daemon.status().jobCount == 3)
      try daemon.wait(for: "the eldest to be hung up on") { clients[0].isHungUpOn }
      #expect(clients.last?.isHungUpOn == false)
    }
    try gate.open()
    try daemon.wait(for: "the end of who waited") { waiting.result != nil }
    #expect(waiting.result?.end == .exited(0), "whoever waits for an answer gets it")
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `waiting and watching clients leave places for others, and a refusal names the limit`() throws {
    let workshop = try Workshop()
    let (daemon, _) = try `The control socket of a real daemon`.daemon(workshop)
    let watch = #"{"method":"io.timelined.Control.Watch","more":true}"# + "\0"
    let watchers = try (0..<ControlPlaces.watching.max).map { _ in try SlowClient(daemon, says: watch) }
    // An answer comes after all requests of the watchers were read.
    for _ in 1...2 { #expect(try daemon.status().jobCount == 3) }
    let refused = try daemon.control("watch")
    #expect(refused.end == .exited(69))
    #expect(
      refused.errors.contains(
        "too many clients: the daemon serves \(ControlPlaces.watching.max) of this kind"))
    #expect(watchers.allSatisfy { !$0.isHungUpOn })
    #expect(try daemon.control("reload").end == .exited(0))
    #expect(try daemon.stop() == .exited(0))
  }
}

/// A client of the control socket that reads no answer.
private final class SlowClient {
  private(set) var isHungUpOn = false
  private let stream: ByteStream
  private var watch: Watch?

  /// Connects and sends a text. The answer is not read.
  init(_ daemon: DaemonProcess, says text: String) throws {
    stream = try ByteStream.connect(to: daemon.socketPath, atMost: Patience.usual)
    watch = try daemon.loop.watch(stream.rawValue, for: []) { [unowned self] readiness in
      if readiness.contains(.hangUp) || readiness.contains(.failure) { hungUp() }
    }
    say(text)
  }

  deinit { hungUp() }

  private func hungUp() {
    isHungUpOn = true
    watch?.cancel()
    watch = nil
  }

  private func say(_ text: String) {
    guard !isHungUpOn else { return }
    if case .peerClosed? = try? stream.write(Array(text.utf8)[...]) { hungUp() }
  }

  /// Sends `text` again after each `pause`, without end.
  func drip(_ text: String, every pause: ElapsedTime, on loop: EventLoop) {
    guard !isHungUpOn else { return }
    say(text)
    loop.after(pause) { [weak self] in self?.drip(text, every: pause, on: loop) }
  }

  /// Sends the request as often as the socket has room, and reads no answer.
  func ask(_ question: String, on loop: EventLoop) {
    let questions = Array(String(repeating: question, count: 1_000).utf8)
    while case .wrote? = try? stream.write(questions[...]) {}
  }
}

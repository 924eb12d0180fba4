import Foundation
import Glibc
import Testing
import TimelineCore
import TimelineTestSupport

@testable import TimelineSystem

@Suite struct `Work on a thread of its own` {
  @Test func `the result arrives once, on the loop's thread`() throws {
    let loop = try EventLoop()
    var given: [Int] = []
    let work = try DetachedWork(name: "work", loop: loop) {
      7
    } completion: {
      given.append($0)
    }
    #expect(loop.run(atMost: Patience.usual) { !given.isEmpty })
    #expect(given == [7] && work.isOver)
  }

  @Test func `work that never ends blocks no thread, and a late result is dropped`() throws {
    let loop = try EventLoop()
    let (reading, writing) = try ByteStream.pipe()
    let number = reading.rawValue
    var work: DetachedWork<Bool>? = try DetachedWork(name: "work", loop: loop) {
      var byte: UInt8 = 0
      var descriptor = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
      unsafe poll(&descriptor, 1, -1)
      return unsafe read(number, &byte, 1) == 1
    } completion: { _ in
      Issue.record("nobody wants it any more")
    }
    #expect(work?.isOver == false)
    work = nil
    _ = try writing.write([1][...])
    var isLater = false
    loop.after(.milliseconds(20)) { isLater = true }
    #expect(loop.run(atMost: Patience.usual) { isLater })
    withExtendedLifetime((reading, writing)) {}
  }
}

@Suite struct `The watch of one file` {
  @Test func `reports the loss of its name, and no change of its neighbors`() throws {
    let workshop = try Workshop()
    let file = try workshop.write("", to: "directory/file")
    let loop = try EventLoop()
    // As for a socket, whose file exists without a name as long as the socket does.
    let descriptor = unsafe open(file, O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    var count = 0
    let watch = try FileWatch(loop: loop) { count += 1 }
    watch.follow(file)
    try workshop.write("", to: "directory/other")
    var isLater = false
    loop.after(.milliseconds(20)) { isLater = true }
    #expect(loop.run(atMost: Patience.usual) { isLater })
    #expect(count == 0)
    #expect(unsafe unlink(file) == 0)
    #expect(loop.run(atMost: Patience.usual) { count > 0 })
    withExtendedLifetime(watch) {}
  }
}

import Glibc
import Testing
import TimelineCore
import TimelineEngine
import TimelineSystem
import TimelineTestSupport
import TimelineWire

@testable import TimelineHostPool

@Suite struct `Hosts that outlive their daemon` {
  let one = RunID(number: 1)

  /// Simulates a daemon that died while run 1 waited at the gate; returns the name of its host.
  private func orphan(in world: World) throws -> String {
    let life = try Life(in: world)
    return try life.startHeld()
  }

  private func heir(in world: World, open: [OpenRun]? = nil) throws -> (Life, HostInheritance) {
    let life = try Life(in: world)
    let inheritance = life.hosts.adopt(world.passed, open: try open ?? [Life.open()])
    return (life, inheritance)
  }

  private func expectSuccess(_ ends: [PluginRunEnd]) {
    #expect(ends.map(\.outcome.status) == [.succeeded], "one end and no other: \(ends)")
    #expect(ends.first?.cursor == Array("seven".utf8))
  }

  @Test func `a run goes on, and the next daemon receives its output, end and cursor once`() throws {
    let world = try World()
    let name = try orphan(in: world)
    let (life, inheritance) = try heir(in: world)
    #expect(inheritance == HostInheritance(runs: [one]))
    life.hosts.collect()
    #expect(life.ends.isEmpty && life.hosts.hostCount == 1)
    try world.openGate()
    try life.wait(for: "the end") { life.ends.count == 1 }
    expectSuccess(life.ends)
    #expect(life.lines(of: one) == ["after"], "what was heard before is not told again")
    // The host is not used again: it may be of another release.
    try world.waitForEnd(of: name)
    try life.wait(for: "no host") { life.hosts.hostCount == 0 }
    #expect(world.names.isEmpty)
    expectSuccess(life.ends)
  }

  @Test func `a run that ended while no daemon ran is collected at once`() throws {
    let world = try World()
    let name = try orphan(in: world)
    try world.openGate()
    try world.waitUntilSpoken(name)
    let (life, inheritance) = try heir(in: world)
    #expect(inheritance.runs == [one])
    #expect(life.events.isEmpty, "nothing is reported before it is asked for")
    life.hosts.collect()
    expectSuccess(life.ends)
    #expect(life.lines(of: one) == ["after"])
    try life.shutDown()
    #expect(world.names.isEmpty)
  }

  @Test func `an end that was received and not stored is reported again`() throws {
    let world = try World()
    do {
      let life = try Life(in: world)
      _ = try life.startHeld()
      try world.openGate()
      try life.wait(for: "the end") { life.ends.count == 1 }
    }
    let name = try #require(world.names.first)
    let (life, inheritance) = try heir(in: world)
    #expect(inheritance.runs == [one])
    life.hosts.collect()
    expectSuccess(life.ends)
    life.hosts.collect()
    expectSuccess(life.ends)
    try world.waitForEnd(of: name)
    #expect(world.names.isEmpty && life.hosts.hostCount == 0, "the host had nothing to do and is let go")
  }

  @Test func `a stored end is not reported again, nor the end of an earlier attempt`() throws {
    for open in [[], [try Life.open(2)], [try Life.open(attempts: 2)]] {
      let world = try World()
      do {
        let life = try Life(in: world)
        _ = try life.startHeld()
        try world.openGate()
        try life.wait(for: "the end") { life.ends.count == 1 }
      }
      let (life, inheritance) = try heir(in: world, open: open)
      #expect(inheritance == HostInheritance())
      life.hosts.collect()
      #expect(life.events.isEmpty && world.names.isEmpty)
    }
  }

  @Test func `a run outlives several daemons`() throws {
    let world = try World()
    _ = try orphan(in: world)
    for _ in 1...3 {
      let (life, inheritance) = try heir(in: world)
      #expect(inheritance.runs == [one])
      life.hosts.collect()
      #expect(life.ends.isEmpty)
    }
    try world.openGate()
    let (life, _) = try heir(in: world)
    life.hosts.collect()
    try life.wait(for: "the end") { life.ends.count == 1 }
    expectSuccess(life.ends)
    try life.shutDown()
  }

  @Test func `runs of a reused host are distinguished`() throws {
    let world = try World()
    do {
      let life = try Life(in: world)
      _ = try life.startHeld(1)
      try world.openGate()
      try life.wait(for: "the first end") { life.ends.count == 1 }
      _ = try life.startHeld(2)
      #expect(world.names.count == 1, "it is the same host")
    }
    let (life, inheritance) = try heir(in: world, open: [Life.open(1), Life.open(2)])
    #expect(inheritance.runs == [one, RunID(number: 2)], "the first may not have been filed")
    life.hosts.collect()
    expectSuccess(life.ends)
    try world.openGate()
    try life.wait(for: "the second end") { life.ends.count == 2 }
    try life.shutDown()
  }
}

extension `Hosts that outlive their daemon` {
  @Test func `an adopted run can be asked to stop`() throws {
    let world = try World()
    _ = try orphan(in: world)
    let (life, _) = try heir(in: world)
    life.hosts.collect()
    life.hosts.askToStop(one, .timeout)
    try life.wait(for: "the end") { life.ends.count == 1 }
    #expect(life.ends.map(\.outcome.status) == [.cancelled])
    try life.shutDown()
  }

  @Test func `an adopted run can be killed with its process group`() throws {
    let world = try World()
    let name = try orphan(in: world)
    let (life, _) = try heir(in: world)
    life.hosts.collect()
    life.hosts.kill(one, .timeout)
    try world.waitForEnd(of: name)
    try life.wait(for: "the end") { life.ends.count == 1 }
    #expect(life.ends.first?.outcome.message.contains("killed in job held") == true, "\(life.ends)")
    #expect(life.hosts.hostCount == 0 && world.names.isEmpty)
  }

  @Test func `escaped processes of an adopted run are killed with it`() throws {
    let world = try World()
    let fifo = world.workshop.path + "/escaped"
    try #require(unsafe mkfifo(fifo, 0o600) == 0)
    let escaped = unsafe FileDescriptor(owning: open(fifo, O_RDONLY | O_NONBLOCK | O_CLOEXEC))
    do {
      let life = try Life(in: world)
      _ = try life.startHeld(escapingTo: fifo)
    }
    try waitForReading(escaped.rawValue)
    var byte: UInt8 = 0
    #expect(unsafe read(escaped.rawValue, &byte, 1) == 1)
    let (life, _) = try heir(in: world)
    life.hosts.collect()
    life.hosts.kill(one, .timeout)
    try life.wait(for: "the end") { life.ends.count == 1 }
    try waitForReading(escaped.rawValue)
    #expect(unsafe read(escaped.rawValue, &byte, 1) == 0, "nobody is there to write to it any more")
  }

  @Test func `a run of a job with limits is adopted, and the job's next run gets another host`()
    throws
  {
    let world = try World()
    let setup = {
      var setup = HostSetup()
      setup.openFileCount = 64
      setup.environment = ["COLOUR": "blue"]
      return setup
    }()
    do {
      let life = try Life(in: world)
      _ = try life.startHeld(setup: setup)
    }
    let (life, inheritance) = try heir(in: world)
    #expect(inheritance == HostInheritance(runs: [one]))
    life.hosts.collect()
    life.hosts.retain([HostSpec(pluginPath: world.plugin, setup: setup): try [#require(JobName("held"))]])
    try life.start(2, setup: setup)
    try life.wait(for: "the second run at the gate") { life.lines(of: RunID(number: 2)).contains("before") }
    #expect(life.hosts.hostCount == 2, "the first host was set up for a job as it was then")
    #expect(life.ends.isEmpty)
    for count in 1...2 {
      try world.openGate()
      try life.wait(for: "end \(count)") { life.ends.count == count }
    }
    #expect(life.ends.map(\.outcome.status) == [.succeeded, .succeeded])
    try life.wait(for: "the end of the first host") { life.hosts.hostCount == 1 }
    try life.shutDown()
    #expect(world.names.isEmpty)
  }

  @Test func `a host that died meanwhile fails its run with a hint for the diagnosis`() throws {
    let world = try World()
    let name = try orphan(in: world)
    let pid = try #require(Int32(name.dropFirst("host-".count)))
    try shell("kill", "-KILL", "\(pid)")
    try world.waitForEnd(of: name)
    let (life, inheritance) = try heir(in: world)
    #expect(inheritance.runs == [one], "how it ended is known, although not why")
    life.hosts.collect()
    try life.wait(for: "the end") { life.ends.count == 1 }
    let message = try #require(life.ends.first).outcome.message
    for part in ["\(world.plugin): ", "in job held", "; ", "journalctl"] { #expect(message.contains(part)) }
    #expect(world.names.isEmpty)
  }

  @Test func `a host whose run is not open any more is killed`() throws {
    for open in [[], [try Life.open(2)], [try Life.open(attempts: 2)]] {
      let world = try World()
      let name = try orphan(in: world)
      let (life, inheritance) = try heir(in: world, open: open)
      #expect(inheritance == HostInheritance())
      try world.waitForEnd(of: name)
      #expect(world.names.isEmpty && life.hosts.hostCount == 0)
    }
  }

  @Test(arguments: [DescriptorKind.socket, .pipe, .memory, .other])
  func `an incomplete set of descriptors is closed and reported`(missing: DescriptorKind) throws {
    let world = try World()
    let name = try orphan(in: world)
    world.lose(missing, of: name)
    let (life, inheritance) = try heir(in: world)
    #expect(inheritance.runs.isEmpty && inheritance.complaints.count == 1)
    let complaint = try #require(inheritance.complaints.first)
    #expect(complaint.contains(name) && complaint.contains("3 of 4"), "\(complaint)")
    #expect(life.hosts.hostCount == 0 && world.names.isEmpty)
    try world.waitForEnd(of: name)
  }

  @Test func `a set with two descriptors of one kind is closed`() throws {
    let pipes = try (0..<3).map { _ in try ByteStream.pipe() }
    let writers = pipes.map { fcntl($0.writing.rawValue, F_DUPFD_CLOEXEC, 3) }
    for pipe in pipes { pipe.writing.close() }
    #expect(throws: HostFailure.self) { try InheritedHost(name: "host", writers) }
    // A pipe reaches its end when it has no open writing end.
    for pipe in pipes { try waitForReading(pipe.reading.rawValue) }
  }

  @Test func `a record of another release is ignored, and its host ends`() throws {
    let world = try World()
    let name = try orphan(in: world)
    // `MemoryFile` closes the descriptor; the copy belongs to this test.
    let copy = try #require(world.passed.first { DescriptorKind(of: $0.number) == .memory })
    let file = MemoryFile(adopting: FileDescriptor(owning: copy.number))
    var bytes = try #require(try file.contents())
    bytes[0] &+= 1
    try file.replace(bytes)
    let (life, inheritance) = try heir(in: world)
    #expect(inheritance.runs.isEmpty)
    #expect(inheritance.complaints.first?.contains("version") == true, "\(inheritance)")
    try world.waitForEnd(of: name)
    #expect(life.hosts.hostCount == 0 && world.names.isEmpty)
  }

  @Test func `hosts end in order although the store keeps copies of their sockets`() throws {
    let world = try World()
    let life = try Life(in: world)
    let name = try life.startHeld()
    try world.openGate()
    try life.wait(for: "the end") { life.ends.count == 1 }
    #expect(world.names == [name])
    let end = try world.number(.socket, of: name)
    #expect(DescriptorKind(of: end) == .socket)
    try life.shutDown()
    #expect(world.names.isEmpty)
    let isKilled = life.events.contains { if case .note(.killedAtEnd) = $0 { true } else { false } }
    #expect(!isKilled, "it ended by itself: \(life.events)")
  }
}

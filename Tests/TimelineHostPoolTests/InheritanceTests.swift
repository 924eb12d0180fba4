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

  /// A daemon that died while run 1 stood at the gate, and the name of its host.
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

  @Test func `A run goes on, and the next daemon has its output, its end and its cursor, once`() throws {
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
    // It is not used again: it may be of another release.
    try world.waitForEnd(of: name)
    try life.wait(for: "no host") { life.hosts.hostCount == 0 }
    #expect(world.names.isEmpty)
    expectSuccess(life.ends)
  }

  @Test func `A run that ended while nobody listened is collected at once`() throws {
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

  @Test func `An end that was heard and not filed is told again`() throws {
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

  @Test func `An end that was filed is not told again, nor that of an attempt before the last`() throws {
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

  @Test func `Daemon after daemon may die`() throws {
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

  @Test func `Runs of a host that is used again are told apart`() throws {
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
  @Test func `A run that was taken over can be asked to stop`() throws {
    let world = try World()
    _ = try orphan(in: world)
    let (life, _) = try heir(in: world)
    life.hosts.collect()
    life.hosts.askToStop(one, .timeout)
    try life.wait(for: "the end") { life.ends.count == 1 }
    #expect(life.ends.map(\.outcome.status) == [.cancelled])
    try life.shutDown()
  }

  @Test func `A run that was taken over can be killed, with all of its group`() throws {
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

  @Test func `What a killed one has let escape into a session of its own goes too`() throws {
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

  @Test func `A run of a job with limits is taken over, and the job's next run gets a host of its own`()
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

  @Test func `A host that died meanwhile fails its run and says where to look`() throws {
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

  @Test func `A host whose run is not open any more is killed`() throws {
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
  func `What is not whole is let go, and said`(missing: DescriptorKind) throws {
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

  @Test func `Two of a kind are let go with all that came with them`() throws {
    let pipes = try (0..<3).map { _ in try ByteStream.pipe() }
    let writers = pipes.map { fcntl($0.writing.rawValue, F_DUPFD_CLOEXEC, 3) }
    for pipe in pipes { pipe.writing.close() }
    #expect(throws: HostFailure.self) { try InheritedHost(name: "host", writers) }
    // A pipe's end has come when nobody can write to it any more.
    for pipe in pipes { try waitForReading(pipe.reading.rawValue) }
  }

  @Test func `A memo of another release is not believed, and its host ends`() throws {
    let world = try World()
    let name = try orphan(in: world)
    // Another owner would close it: the copy is this test's.
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

  @Test func `Hosts end in order although somebody keeps copies of their sockets`() throws {
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

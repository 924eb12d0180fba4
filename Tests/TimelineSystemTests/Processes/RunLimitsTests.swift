import Testing
import TimelineCore

@testable import TimelineSystem

/// Limits and figures of control groups, by directories that look like some; 88-limits.sh has real ones.
@Suite struct RunLimitsTests {
  let directory: TestDirectory
  let group: ControlGroup

  init() throws {
    directory = try TestDirectory()
    group = ControlGroup(at: directory.path)
  }

  /// Limits, and the contents of memory.max, cpu.max and pids.max; `nil` without the file.
  @Test(
    arguments: [
      (nil, nil, nil, ["", "", ""], []),
      (200 << 20, 50, 20, ["209715200", "50000 100000", "22"], []),
      (nil, 150, nil, ["", "150000 100000", ""], []),
      (1 << 40, nil, 1, ["1099511627776", nil, "3"], []),
      (200 << 20, 1, 1, [nil, "1000 100000", nil], ["memory", "tasks"]),
    ] as [(UInt64?, Int?, Int?, [String?], [String])])
  func `each limit is written to its file, and limits without a file are returned`(
    memory: UInt64?, cpu: Int?, tasks: Int?, contents: [String?], missing: [String]
  ) throws {
    let files = ["memory.max", "cpu.max", "pids.max"]
    for (file, content) in zip(files, contents) where content != nil { _ = try directory.file(file) }
    var limits = RunLimits()
    (limits.memoryBytes, limits.processorPercent, limits.taskCount) = (memory, cpu, tasks)
    let faults = group.set(limits)
    #expect(faults.map(\.key) == missing)
    #expect(faults.allSatisfy { $0.error.isMissing })
    #expect(files.map { group.contents(of: $0) } == contents)
  }

  /// The file memory.events before a run and after it.
  @Test(
    arguments: [
      ("", "", nil), ("low 0\nmax 9\noom 0\noom_kill 0\n", "low 0\nmax 12\noom 0\noom_kill 0\n", nil),
      ("oom 0\noom_kill 0\n", "oom 1\noom_kill 1\noom_group_kill 0\n", .ofRun),
      ("oom 3\noom_kill 3\n", "oom 4\noom_kill 5\n", .ofRun),
      ("oom 3\noom_kill 3\n", "oom 3\noom_kill 4\n", .ofMachine),
      ("oom 3\noom_kill 3\n", "oom 3\noom_kill 3\n", nil),
      ("oom 0\noom_kill 0\n", "oom 1\noom_kill 0\n", nil),
      ("oom_kill x\noom_kill 1 2\n", "oom_kill\n", nil),
    ] as [(String, String, MemoryShortage?)])
  func `a process that the kernel killed lacked the memory of its run or that of the machine`(
    before: String, after: String, shortage: MemoryShortage?
  ) {
    #expect(MemoryEvents(reading: after).shortage(since: MemoryEvents(reading: before)) == shortage)
  }

  @Test func `without the controller of memory a run has a processor time and no peak`() throws {
    var meter = RunMeter(of: group)
    _ = try directory.file("cpu.stat", "usage_usec 100\n")
    meter.begin()
    _ = try directory.file("cpu.stat", "usage_usec 350\n")
    #expect(meter.end() == RunMeter.Reading(usage: RunUsage(processorTime: .microseconds(250))))
    #expect(meter.end() == nil, "no run has begun")
    _ = try directory.file("memory.events", "oom 1\noom_kill 1\n")
    #expect(meter.end() == RunMeter.Reading(shortage: .ofRun), "one of a daemon before")
  }

  @Test(arguments: [([7], [false]), ([7, 7], [false, true]), ([7, 9, 9], [false, false, true])])
  func `the peak of a group that is not reset is the run's if it rose`(
    peaks: [UInt64], bounds: [Bool]
  ) {
    var meter = PeakMeter()
    #expect(
      peaks.map { meter.peak(now: $0) } == zip(peaks, bounds).map { MemoryPeak(bytes: $0, isBound: $1) })
  }

  @Test func `the peak is reset by a kernel that can do so`() throws {
    _ = try directory.file("memory.peak", "123456\n")
    _ = try directory.file("cpu.stat", "usage_usec 100\n")
    var meter = RunMeter(of: group)
    meter.begin()
    #expect(group.contents(of: "memory.peak")?.hasPrefix("reset\n") == true)
    _ = try directory.file("memory.peak", "2048\n")
    #expect(meter.end()?.usage.memoryPeak == MemoryPeak(bytes: 2048))
  }

  @Test func `controllers are turned on by a process that has left the group, and off again`() throws {
    let delegated = DelegatedGroup(at: directory.path)
    _ = try directory.file("cgroup.controllers", "cpuset memory\n")
    _ = try directory.file("cgroup.subtree_control", "")
    let own = ControlGroup(at: directory.path + "/daemon")
    #expect(delegated.availableControllers == ["cpuset", "memory"])
    #expect(delegated.turnOn(DelegatedGroup.usualControllers) == [], "it cannot leave the group")
    try own.make()
    _ = try directory.file("daemon/cgroup.procs", "")
    #expect(delegated.turnOn(["cpu"]) == [], "there is no such controller")
    #expect(own.contents(of: "cgroup.procs") == "")
    // A file keeps what was written to it; the kernel has a list.
    #expect(delegated.turnOn(DelegatedGroup.usualControllers) == ["+memory"])
    #expect(own.contents(of: "cgroup.procs") == "0")
    _ = try directory.file("cgroup.subtree_control", "memory pids\n")
    #expect(delegated.turnOn(["memory"]) == ["memory", "pids"])
    try delegated.turnOffControllers()
    #expect(group.contents(of: "cgroup.subtree_control")?.hasPrefix("-pids") == true)
  }
}

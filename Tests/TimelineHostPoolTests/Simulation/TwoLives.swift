import Foundation
import Glibc
import TimelineCore
import TimelineEngine
import TimelineHostPool
import TimelineSystem
import TimelineTestSupport

/// Environment of daemons that crash: a plugin whose runs wait for a byte from a FIFO, the gate, and a descriptor store like
/// systemd's.
final class World {
  let workshop: Workshop
  let plugin: String
  private let gate: CInt
  private let kept = Kept()

  private final class Kept {
    var numbers: [String: [CInt]] = [:]
    var handles: [String: CInt] = [:]
    /// Whether the store has no room.
    var isFull = false
  }

  /// The plugin: a run waits at its gate, and starts a process that escapes if its parameters request that.
  private static let held = """
    #include <fcntl.h>
    #include <poll.h>
    #include <signal.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <timelined_plugin.h>
    #include <unistd.h>

    static int ends[2];

    static timelined_status prepare(const timelined_opening *opening, void **instance) {
      (void)instance;
      return pipe(ends) == 0 ? TIMELINED_OK : TIMELINED_FAIL(opening, "there is no pipe");
    }

    static void let_one_escape(const char *fifo) {
      if (fork() != 0) return;
      setsid();
      signal(SIGHUP, SIG_IGN);
      int end = open(fifo, O_WRONLY);
      while (write(end, "x", 1) == 1) pause();
      _exit(1);
    }

    static timelined_status run(void *instance, const timelined_context *context) {
      (void)instance;
      const char *fifo = context->host->parameter_text(context->parameters, "/escapes");
      if (fifo != NULL && fifo[0] != 0) let_one_escape(fifo);
      int gate = open(context->host->parameter_text(context->parameters, "/gate"), O_RDWR | O_CLOEXEC);
      if (gate < 0) return TIMELINED_FAIL(context, "there is no gate; make it with mkfifo");
      printf("before\\n");
      struct pollfd waits[] = {{gate, POLLIN, 0}, {ends[0], POLLIN, 0}};
      while (waits[0].revents == 0 && waits[1].revents == 0) poll(waits, 2, -1);
      if (waits[0].revents == 0) return TIMELINED_CANCELLED;
      char byte;
      if (read(gate, &byte, 1) != 1) return TIMELINED_FAIL(context, "the gate is broken; make it with mkfifo");
      close(gate);
      printf("after\\n");
      context->host->set_cursor(context->call, "seven", 5);
      return TIMELINED_OK;
    }

    static void cancel(void *instance, const timelined_context *context) {
      (void)instance;
      (void)context;
      if (write(ends[1], "x", 1) != 1) abort();
    }

    static const timelined_plugin table = {
        TIMELINED_PLUGIN_HEAD, .name = "held", .version = "1.0", .summary = "waits at a gate",
        .open = prepare, .run = run, .cancel = cancel};

    TIMELINED_EXPORT const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
      (void)host;
      return &table;
    }
    """

  init() throws {
    workshop = try Workshop()
    plugin = try workshop.compile(Self.held, name: "held")
    guard unsafe mkfifo(workshop.path + "/gate", 0o666) == 0 else { throw TestFailure("mkfifo failed") }
    // Opened for reading and writing, so that neither side waits for the other to open it.
    gate = unsafe open(workshop.path + "/gate", O_RDWR | O_CLOEXEC)
  }

  deinit {
    close(gate)
    for (name, handle) in kept.handles {
      if let pid = Int32(name.dropFirst("host-".count)) {
        kill(-pid, SIGKILL)
        _ = waitpid(pid, nil, 0)
      }
      close(handle)
    }
    for number in kept.numbers.values.joined() { close(number) }
  }

  var keeper: HostDescriptorStore {
    HostDescriptorStore(
      keep: { [kept] numbers, name in
        guard !kept.isFull else { return false }
        kept.numbers[name, default: []] += numbers.map(Self.copy)
        for number in numbers where DescriptorKind(of: number) == .other {
          kept.handles[name] = Self.copy(of: number)
        }
        return true
      },
      forget: { [kept] name in
        for number in kept.numbers.removeValue(forKey: name) ?? [] { close(number) }
      })
  }

  /// The names under which descriptors are stored.
  var names: [String] { kept.numbers.keys.sorted() }

  /// Makes the store refuse further descriptors.
  func fillUp() { kept.isFull = true }

  /// Descriptors that are passed to a new daemon: copies, because systemd keeps its own.
  var passed: [KeptDescriptor] {
    kept.numbers.sorted { $0.key < $1.key }.flatMap { name, numbers in
      numbers.reversed().map { KeptDescriptor(name: name, number: Self.copy(of: $0)) }
    }
  }

  /// Removes one of the descriptors of a name.
  func lose(_ kind: DescriptorKind, of name: String) {
    for number in kept.numbers[name] ?? [] where DescriptorKind(of: number) == kind { close(number) }
    kept.numbers[name]?.removeAll { DescriptorKind(of: $0) == nil }
  }

  /// The descriptor of a kind that is stored under a name.
  func number(_ kind: DescriptorKind, of name: String) throws -> CInt {
    guard let number = kept.numbers[name]?.first(where: { DescriptorKind(of: $0) == kind }) else {
      throw TestFailure("no \(kind) is kept under \(name)")
    }
    return number
  }

  /// Waits until the host has sent a message that is not received yet.
  func waitUntilSpoken(_ name: String) throws { try waitForReading(number(.socket, of: name)) }

  /// Waits for the end of the host's process.
  func waitForEnd(of name: String) throws {
    guard let handle = kept.handles[name] else { throw TestFailure("\(name) was never kept") }
    try waitForReading(handle)
  }

  /// Lets one run continue.
  func openGate() throws {
    guard unsafe write(gate, ".", 1) == 1 else { throw TestFailure("the gate cannot be opened") }
  }

  private static func copy(of number: CInt) -> CInt { fcntl(number, F_DUPFD_CLOEXEC, 3) }
}

/// The pools of one daemon. Their deallocation simulates a crash: hosts get no message.
final class Life {
  let world: World
  let loop: EventLoop
  let hosts: PluginHosts
  private let record = Record()

  private final class Record {
    var events: [PluginEvent] = []
  }

  init(in world: World, hasKeeper: Bool = true) throws {
    self.world = world
    loop = try EventLoop()
    let record = record
    var configuration = PluginHosts.Configuration(
      hostExecutable: Fixtures.host, pluginDirectories: [world.workshop.path])
    configuration.limits = .unhurried
    configuration.limits.endLimit = Patience.usual
    hosts = PluginHosts(
      loop: loop, configuration: configuration, keeper: hasKeeper ? world.keeper : nil
    ) { record.events.append($0) }
  }

  var events: [PluginEvent] { record.events }
  var ends: [PluginRunEnd] { events.compactMap { if case .ended(_, let end) = $0 { end } else { nil } } }
  func lines(of run: RunID) -> [String] {
    events.compactMap { if case .line(let line) = $0, line.run == run { line.message } else { nil } }
  }

  /// The ledger's view of a run that was started.
  static func open(_ run: UInt64 = 1, attempts: Int = 1) throws -> OpenRun {
    guard let job = JobName("held") else { throw TestFailure("not a name") }
    return OpenRun(
      run: RunID(number: run), entry: EntryKey(job: job, nominal: .epoch), cause: .schedule,
      attempts: attempts, startedAt: .epoch)
  }

  /// Starts a run; with a `fifo` its plugin starts a process that escapes into a session of its own, writes a byte to the
  /// FIFO and stays.
  func start(_ run: UInt64 = 1, setup: HostSetup = HostSetup(), escapingTo fifo: String = "") throws {
    let open = try Self.open(run)
    hosts.start(
      PluginRun(
        attempt: Attempt(
          run: open.run, entry: open.entry, cause: open.cause, number: open.attempts,
          startedAt: open.startedAt),
        kind: HostSpec(pluginPath: world.plugin, setup: setup),
        parameters: "{\"gate\": \"\(world.workshop.path)/gate\", \"escapes\": \"\(fifo)\"}"))
  }

  /// Starts a run, waits until it reaches the gate, and returns the name under which its host is stored.
  func startHeld(
    _ run: UInt64 = 1, setup: HostSetup = HostSetup(), escapingTo fifo: String = ""
  ) throws -> String {
    try start(run, setup: setup, escapingTo: fifo)
    try wait(for: "the run at the gate") { lines(of: RunID(number: run)).contains("before") }
    guard let name = world.names.last else { throw TestFailure("no host is kept") }
    return name
  }

  func wait(for what: String, until condition: () -> Bool) throws {
    guard loop.takeTurns(atMost: Stage.patience, untilSeen: condition) else {
      throw TestFailure("\(what) did not come; so far: \(events.suffix(10))")
    }
  }

  /// Shuts the pools down in order.
  func shutDown() throws {
    var isDone = false
    hosts.shutDown { isDone = true }
    try wait(for: "the end of all hosts") { isDone }
  }
}

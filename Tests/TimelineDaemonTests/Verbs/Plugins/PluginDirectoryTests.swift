import Testing
import TimelineCore
import TimelineLoading
import TimelineHostPool
import TimelineSystem
import TimelineTestSupport

@Suite struct `A plugin given by name` {
  @Test
  func `is looked up in the given directories, then in the configured ones, and last in the bundled ones`()
    throws
  {
    let workshop = try Workshop()
    let path = try workshop.configure(
      "", daemon: "plugin-directories = [\"/configured/second\", \"/configured/first\"]")
    let loader = Loader(
      path: path,
      installation: Installation(
        hostPath: "/elsewhere/timeline-host", pluginDirectories: "/given/second:/given/first"))
    let configuration = try loader.read(
      refusingForeignWriters: false, refusingUnknownPlugins: false,
      now: WallInstant(nanosecondsSinceEpoch: 0))
    let directories = loader.hostConfiguration(for: configuration).search.directories
    #expect(
      directories.prefix(5) == [
        "/given/second", "/given/first", "/configured/second", "/configured/first", "/elsewhere/plugins",
      ])
    #expect(directories.dropFirst(4) == loader.installation.bundledPluginDirectories[...], "\(directories)")
    #expect(Set(directories).count == directories.count, "no directory twice: \(directories)")
  }

  @Test func `a given directory that is missing is an error, unless a - stands before it`() throws {
    let workshop = try Workshop()
    let missing = "\(workshop.path)/missing"
    #expect(Installation.pluginDirectoryFault(in: nil) == nil)
    #expect(Installation.pluginDirectoryFault(in: "\(workshop.path):-\(missing)") == nil)
    #expect(
      Installation.pluginDirectoryFault(in: "\(workshop.path):\(missing)")
        == "\(missing): no such file or directory")
    #expect(Installation(pluginDirectories: "-\(missing)").givenPluginDirectories == [missing])
  }

  @Test func `is taken from the first directory that has it`() throws {
    let workshop = try Workshop()
    let configured = try Workshop()
    try Self.compile("both", saying: "given", in: workshop)
    try Self.compile("both", saying: "configured", in: configured)
    try Self.compile("one", saying: "configured", in: configured)
    let jobs = ["both", "one"].map { "[job.\($0)]\nplugin = \"\($0)\"\nschedule = \(never)\n" }
    try workshop.configure(jobs.joined(), daemon: "plugin-directories = [\"\(configured.path)\"]")
    let daemon = try DaemonProcess(workshop)
    try daemon.begin()
    for (job, word) in [("both", "given"), ("one", "configured")] {
      #expect(try daemon.control("trigger", job, "--wait").end == .exited(0))
      try daemon.line(containing: job, "I am the one \(word)")
    }
    #expect(try daemon.stop() == .exited(0))
  }

  /// Compiles a plugin that logs which one it is.
  private static func compile(_ name: String, saying word: String, in workshop: Workshop) throws {
    try workshop.compile(
      """
      #include <timelined_plugin.h>
      static timelined_status run(void *instance, const timelined_context *context) {
        (void)instance;
        TIMELINED_LOG(context, TIMELINED_INFO, "I am the one \(word)");
        return TIMELINED_OK;
      }
      static const timelined_plugin table = {
          TIMELINED_PLUGIN_HEAD, .name = "\(name)", .version = "1.0", .summary = "says where it lies", .run = run};
      TIMELINED_EXPORT const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
        (void)host;
        return &table;
      }
      """, name: name)
  }
}

import Glibc
import Testing
import TimelineTestSupport
import TimelineWire

/// A library with several plugins, one for each of its names.
@Suite struct SharedLibraryTests {
  private static let source = """
    #include <timelined_plugin.h>
    static timelined_status run(void *instance, const timelined_context *context) {
      (void)instance, (void)context;
      return TIMELINED_OK;
    }
    #define PLUGIN(function, plugin)                                                            \\
      static const timelined_plugin plugin = {                                                  \\
          TIMELINED_PLUGIN_HEAD, .name = #plugin, .version = "1", .summary = "one", .run = run}; \\
      TIMELINED_EXPORT const timelined_plugin *function(const timelined_host *host) {           \\
        (void)host;                                                                             \\
        return &plugin;                                                                         \\
      }
    PLUGIN(timelined_plugin_entry_wave, wave)
    PLUGIN(timelined_plugin_entry_shout, shout)
    PLUGIN(timelined_plugin_entry, other)
    """

  @Test(arguments: [("wave", "wave"), ("shout", "shout"), ("whisper", "other"), ("wave.old", "other")])
  func `the file's name chooses the entry function`(file: String, plugin: String) throws {
    let workshop = try Workshop()
    let library = try workshop.compile(Self.source, name: "shared")
    let link = "\(workshop.path)/\(file).so"
    unsafe symlink(library, link)
    guard case .loaded(let loaded) = try HostProcess().load(link) else { throw TestFailure("not loaded") }
    #expect(loaded.name == plugin)
  }
}

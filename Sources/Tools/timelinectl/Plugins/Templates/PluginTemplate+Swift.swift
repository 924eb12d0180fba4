extension PluginTemplate {
  static let swift = PluginTemplate(
    sharedLibrary: [
      File(path: "Package.swift", text: manifest), File(path: "Sources/@name@/Plugin.swift", text: source),
    ], language: "Swift",
    needs:
      "It needs Swift 6.3 and the kit for plugins, which `timelined-dev` installs. "
      + "With the kit elsewhere: `TIMELINED_KIT=/path/to/kit make`.",
    build: """
      # The runtime of Swift is linked into the library, so that it runs where no Swift is installed.
      @name@.so: Package.swift $(wildcard Sources/@name@/*.swift)
      \tTIMELINED_KIT="$(TIMELINED_KIT)" swift build -c release --product @name@ -Xswiftc -static-stdlib -Xlinker -s
      \tinstall -m 755 .build/release/lib@name@.so $@

      clean:
      \trm -rf .build @name@.so
      """,
    where: """
      | `Sources/@name@/Plugin.swift` | the plugin |
      | `Package.swift` | its package |
      """)

  private static let manifest = #"""
    // swift-tools-version: 6.2
    import Foundation
    import PackageDescription

    let kit =
      ProcessInfo.processInfo.environment["TIMELINED_KIT"].flatMap { $0.isEmpty ? nil : $0 }
      ?? ["/usr/share/timelined/kit", "/usr/local/share/timelined/kit"].first(where: FileManager.default.fileExists)
      ?? "the kit of timelined: install timelined-dev, or set TIMELINED_KIT"

    let package = Package(
      name: "@name@",
      products: [.library(name: "@name@", type: .dynamic, targets: ["@name@"])],
      dependencies: [.package(name: "timelined", path: kit)],
      targets: [
        .target(name: "@name@", dependencies: [.product(name: "TimelinePluginKit", package: "timelined")])
      ]
    )

    """#

  private static let source = #"""
    import Glibc
    import TimelinePluginKit

    /// Says a word, and counts its runs in the cursor.
    final class Plugin: TimelinePlugin {
      static let name = "@name@"
      static let version = "1.0"
      static let summary = "says a word"
      /// The job's parameters, `with` in its configuration. `timelinectl check` holds them to this.
      static let parametersSchema: String? = """
        {
          "type": "object", "additionalProperties": false, "required": ["word"],
          "properties": {
            "word": {"type": "string", "minLength": 1, "description": "The word that is said."},
            "wait": {
              "type": "integer", "minimum": 0, "maximum": 3600, "default": 0,
              "description": "Seconds that a run takes."
            }
          }
        }
        """

      private let word: String
      private let wait: Int64

      init(_ opening: Opening) throws {
        word = try opening.parameters.text("/word")
        wait = try opening.parameters.integer("/wait", default: 0)
      }

      func run(_ context: RunContext) throws -> String? {
        for hundredth in 0..<(wait * 100) {
          try context.checkCancellation()
          context.report(progress: Double(hundredth) / Double(wait * 100), "waiting")
          usleep(10_000)
        }
        let count = (Int(String(decoding: context.cursor, as: UTF8.self)) ?? 0) + 1
        context.log(word)
        try context.setCursor(Array(String(count).utf8))
        return "\(word), run \(count)"
      }
    }

    @c(timelined_plugin_entry)
    public func entry(_ host: UnsafeRawPointer?) -> UnsafeRawPointer? {
      export(Plugin.self, to: host)
    }

    """#
}

import Testing

/// The entry point of the test bundle. Without it SwiftPM searches an index for tests of XCTest. There are none, so the build needs no index.
@main struct Runner {
  static func main() async {
    // `swift test` asks for the tests of XCTest before it runs any.
    if CommandLine.arguments.contains("--dump-tests-json") {
      return print(#"{"name": "All tests", "tests": [{"name": "debug.xctest", "tests": []}]}"#)
    }
    await Testing.__swiftPMEntryPoint() as Never
  }
}

import Testing

/// The entry point of the test bundle. Without it SwiftPM searches an index for tests of XCTest. There are none, so the build needs no index.
@main struct Runner {
  static func main() async {
    // `swift test` first asks for the tests of XCTest, and then runs them.
    if CommandLine.arguments.contains("--dump-tests-json") {
      return print(#"{"name": "All tests", "tests": [{"name": "debug.xctest", "tests": []}]}"#)
    }
    guard CommandLine.arguments.contains("--testing-library") else { return }
    await Testing.__swiftPMEntryPoint() as Never
  }
}

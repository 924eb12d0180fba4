import Testing

/// The entry point of the test bundle. With one of our own SwiftPM does not look for the tests of XCTest, of which there are none, and so the build
/// needs no index.
@main struct Runner {
  static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}

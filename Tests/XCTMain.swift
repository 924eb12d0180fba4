import Testing

/// The entry point of the test bundle. Without it SwiftPM searches an index for tests of XCTest. There are none, so the build needs no index.
@main struct Runner {
  static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}

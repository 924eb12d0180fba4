// swift-tools-version: 6.2
// The kit for plugins in Swift without the rest of timelined; a plugin's package names its directory as a dependency:
//   .package(name: "timelined", path: "/usr/share/timelined/kit")

import PackageDescription

let package = Package(
  name: "timelined",
  products: [.library(name: "TimelinePluginKit", targets: ["TimelinePluginKit"])],
  targets: [
    .target(name: "CTimelinePlugin"),
    .target(
      name: "TimelinePluginKit", dependencies: ["CTimelinePlugin"],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("InferIsolatedConformances"),
      ]),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .c17
)

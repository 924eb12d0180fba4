// swift-tools-version: 6.2
// The plugins in Swift, a package of its own that depends on timelined as any author's does. Each is a dynamic
// library; build.sh has the flags that put the Swift runtime into it. Plugins in C need no entry here.

import PackageDescription

let package = Package(
  name: "timelined-plugins",
  products: [
    .library(name: "greeter", type: .dynamic, targets: ["greeter"])
  ],
  dependencies: [.package(name: "timelined", path: "../..")],
  targets: [
    .target(
      name: "greeter", dependencies: [.product(name: "TimelinePluginKit", package: "timelined")],
      path: "Examples/greeter")
  ],
  swiftLanguageModes: [.v6]
)

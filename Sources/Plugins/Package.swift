// swift-tools-version: 6.2
// The plugins in Swift, a package of its own that depends on timelined as any author's does. Each is a dynamic
// library; build.sh has the flags that put the Swift runtime into it. Plugins in C need no entry here.

import PackageDescription

/// Settings of our C, those of timelined.
let hardenedC: [CSetting] = [
  .define("_GNU_SOURCE"), .define("_FORTIFY_SOURCE", to: "2", .when(configuration: .release)),
]

let package = Package(
  name: "timelined-plugins",
  products: [
    // One library, as each has the runtime of Swift in it: 7 MB. build.sh links it by their names.
    .library(name: "bundled", type: .dynamic, targets: ["exec", "http", "log", "notify", "process"]),
    .library(name: "greeter", type: .dynamic, targets: ["greeter"]),
  ],
  dependencies: [.package(name: "timelined", path: "../..")],
  targets: [
    // What is the same in several of ours; an author's plugin has no use for it.
    .target(
      name: "PluginSupport", dependencies: [.product(name: "TimelinePluginKit", package: "timelined")],
      path: "Support/Sources"),
    .target(
      name: "CCommand", path: "Support/CCommand", publicHeadersPath: "include", cSettings: hardenedC),
    .target(
      name: "CommandSupport",
      dependencies: [
        "CCommand", "PluginSupport", .product(name: "TimelinePluginKit", package: "timelined"),
      ], path: "Support/Commands"),
    // The files of timelined's own target, which is no product: a link.
    .target(name: "PluginJSON", path: "Support/JSON"),
    .target(
      name: "exec",
      dependencies: ["CommandSupport", .product(name: "TimelinePluginKit", package: "timelined")],
      path: "exec"),
    .target(
      name: "process",
      dependencies: [
        "CommandSupport", "PluginJSON", "PluginSupport",
        .product(name: "TimelinePluginKit", package: "timelined"),
      ], path: "process"),
    .target(name: "CCurl", path: "Support/CCurl", publicHeadersPath: "include", cSettings: hardenedC),
    .target(
      name: "TransferSupport",
      dependencies: [
        "CCurl", "PluginSupport", .product(name: "TimelinePluginKit", package: "timelined"),
      ], path: "Support/Transfer"),
    .target(
      name: "http",
      dependencies: [
        "PluginSupport", "TransferSupport", .product(name: "TimelinePluginKit", package: "timelined"),
      ], path: "http"),
    .target(
      name: "notify",
      dependencies: [
        "CommandSupport", "PluginJSON", "PluginSupport", "TransferSupport",
        .product(name: "TimelinePluginKit", package: "timelined"),
      ], path: "notify"),
    .target(
      name: "log",
      dependencies: ["PluginSupport", .product(name: "TimelinePluginKit", package: "timelined")], path: "log"),
    .target(
      name: "greeter", dependencies: [.product(name: "TimelinePluginKit", package: "timelined")],
      path: "Examples/greeter"),
  ],
  swiftLanguageModes: [.v6]
)

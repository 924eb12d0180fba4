// swift-tools-version: 6.2
// The plugins in Swift. They have a package of their own that depends on timelined in the same way as the package of any
// other author. Each is a dynamic library; build.sh has the flags that link the Swift runtime into it. Plugins in C need no
// entry here.

import PackageDescription

/// Settings of the C targets, the same as in the package of timelined.
let hardenedC: [CSetting] = [
  .define("_GNU_SOURCE"), .define("_FORTIFY_SOURCE", to: "2", .when(configuration: .release)),
]

let package = Package(
  name: "timelined-plugins",
  products: [
    // All bundled plugins are in one library, because each library contains the Swift runtime: 7 MB. build.sh links the
    // library under the plugins' names.
    .library(name: "bundled", type: .dynamic, targets: ["exec", "http", "log", "notify", "process"]),
    .library(name: "greeter", type: .dynamic, targets: ["greeter"]),
  ],
  dependencies: [.package(name: "timelined", path: "../../..")],
  targets: [
    // The common code of several bundled plugins. Plugins of other authors do not need it.
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
    // The path is a link to the files of a target of timelined, because that target is not a product.
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

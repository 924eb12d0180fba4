// swift-tools-version: 6.2
// The plugins in Swift, a package of its own that depends on timelined as any author's does. Each is a dynamic
// library; build.sh has the flags that put the Swift runtime into it. Plugins in C need no entry here.

import PackageDescription

let package = Package(
  name: "timelined-plugins",
  products: [
    .library(name: "exec", type: .dynamic, targets: ["exec"]),
    .library(name: "http", type: .dynamic, targets: ["http"]),
    .library(name: "log", type: .dynamic, targets: ["log"]),
    .library(name: "greeter", type: .dynamic, targets: ["greeter"]),
  ],
  dependencies: [.package(name: "timelined", path: "../..")],
  targets: [
    // What is the same in several of ours; an author's plugin has no use for it.
    .target(
      name: "PluginSupport", dependencies: [.product(name: "TimelinePluginKit", package: "timelined")],
      path: "Support"),
    .target(name: "CExec", path: "exec/C", publicHeadersPath: "include", cSettings: [.define("_GNU_SOURCE")]),
    .target(
      name: "exec",
      dependencies: [
        "CExec", "PluginSupport", .product(name: "TimelinePluginKit", package: "timelined"),
      ], path: "exec", exclude: ["C"]),
    .systemLibrary(
      name: "CCurl", path: "http/C", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .target(
      name: "http",
      dependencies: [
        "CCurl", "PluginSupport", .product(name: "TimelinePluginKit", package: "timelined"),
      ], path: "http", exclude: ["C"]),
    .target(
      name: "log",
      dependencies: ["PluginSupport", .product(name: "TimelinePluginKit", package: "timelined")], path: "log"),
    .target(
      name: "greeter", dependencies: [.product(name: "TimelinePluginKit", package: "timelined")],
      path: "Examples/greeter"),
  ],
  swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2
import PackageDescription

// The sources of Integrations/ with stand-ins of the libraries that they are for, and an app of each.
// scripts/check-integrations copies it into a build folder, where it adds those sources, the recipes
// of the documentation, and the exported tests.
let debugger = "states-debugger"
let recording = ["Recorder", "Replaying", "StatesCore"].map { name in
  Target.Dependency.product(name: name, package: debugger)
}

/// An integration, the stand-in it is compiled with, an app, and the app's exported tests.
func targets(_ name: String, _ library: String) -> [Target] {
  [
    .target(name: library),
    .target(name: "Recorder\(name)", dependencies: [.byName(name: library)] + recording),
    .executableTarget(
      name: "\(name)App",
      dependencies: [.byName(name: library), .byName(name: "Recorder\(name)")] + recording
    ),
    .testTarget(
      name: "\(name)Tests",
      dependencies: [
        .byName(name: "\(name)App"), .product(name: "StatesTesting", package: debugger),
      ]
    ),
  ]
}

let package = Package(
  name: "integrations",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: debugger, path: Context.environment["DEBUGGER"] ?? "../..")],
  targets: targets("ComposableArchitecture", "ComposableArchitecture")
    + targets("ReSwift", "ReSwift") + targets("Mobius", "MobiusCore"),
  swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2
import PackageDescription

// A package of its own that depends on the debugger by path, as yours would by its address.
let debugger = "states-debugger"

let package = Package(
  name: "examples",
  platforms: [.macOS(.v15)],
  products: [.library(name: "Machines", targets: ["Machines"])],
  dependencies: [.package(name: debugger, path: "..")],
  targets: [
    // The machines, so that each program and the gallery run the same ones.
    .target(
      name: "Machines",
      dependencies: [
        .product(name: "StatesCore", package: debugger),
        .product(name: "Replaying", package: debugger),
      ]
    )
  ]
    + [
      "Coin", "PhoneVerification", "AddressBook", "PageFlow", "SearchView", "RepositorySearch",
      "Elsewhere", "Gallery",
    ].map { name in
      .executableTarget(
        name: name,
        dependencies: [
          "Machines", .product(name: "StatesCore", package: debugger),
          .product(name: "Recorder", package: debugger),
        ]
      )
    }
    + [
      // Where exported tests go.
      .testTarget(
        name: "MachinesTests",
        dependencies: ["Machines", .product(name: "StatesTesting", package: debugger)]
      )
    ],
  swiftLanguageModes: [.v6]
)

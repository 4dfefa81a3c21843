import Foundation
import Testing

@testable import debugd

@Suite("The package of an exported test")
struct TestPackageTests {
  private static let source = """
    import StatesTesting
    import Testing

    @testable import Garage

    @Suite("garage")
    """

  private func with(_ manifest: String?, _ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "package-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    if let manifest { try Data(manifest.utf8).write(to: folder.appending(path: "Package.swift")) }
    try body(folder.path)
  }

  @Test("its command selects the suite, and not a module of the same name")
  func command() throws {
    try with("// a manifest") { folder in
      let package = try #require(TestPackage(of: "\(folder)/Tests/GarageTests/GarageTests.swift"))
      let filter = try #require(
        package.command(running: "GarageTests")?.split(separator: "'").dropFirst().first)
      #expect(
        package.command(running: "GarageTests")?.hasPrefix("swift test --package-path ") == true)
      let pattern = try Regex(String(filter))
      #expect("GarageTests.GarageTests/meetsItsCondition()".contains(pattern))
      #expect(!"GarageTests.ManyTests/meetsItsCondition()".contains(pattern))
      #expect(!"GarageTests.MyGarageTests/meetsItsCondition()".contains(pattern))
      #expect(!"GarageTests.GarageTestsAgain/meetsItsCondition()".contains(pattern))
      #expect(package.command(running: "Garage Tests") == nil)
      #expect(TestPackage(of: "\(folder)/Sources/GarageTests.swift") == nil)
    }
    try with(nil) { #expect(TestPackage(of: "\($0)/Tests/ATests/ATests.swift") == nil) }
  }

  @Test(
    "a test target is missing only where no target can have the file",
    arguments: [
      ("targets: [.target(name: \"GarageTests\")]", true),
      ("targets: [.testTarget(name: \"OtherTests\")]", true),
      ("targets: [.testTarget(\n  name: \"GarageTests\", dependencies: [])]", false),
      ("targets: [.testTarget(name: \"A\", path: \"Tests/GarageTests\")]", false),
      ("targets: [.testTarget(name: \"A\", path: \"Tests\")]", false),
      ("targets: names.map { .testTarget(name: $0) }", false),
    ])
  func missing(manifest: String, isMissing: Bool) throws {
    try with(manifest) { folder in
      let package = try #require(TestPackage(of: "\(folder)/Tests/GarageTests/ATests.swift"))
      let target = package.missingTarget(for: Self.source)
      #expect((target != nil) == isMissing)
      guard isMissing else { return }
      #expect(
        target == """
          .testTarget(
            name: "GarageTests",
            dependencies: ["Garage", .product(name: "StatesTesting", package: "states-debugger")])
          """)
    }
  }

  @Test("a missing target names the package as the manifest does")
  func packageName() throws {
    let manifest = #"dependencies: [.product(name: "Recorder", package: "tree")]"#
    try with(manifest) { folder in
      let package = try #require(TestPackage(of: "\(folder)/Tests/GarageTests/ATests.swift"))
      let target = try #require(package.missingTarget(for: Self.source))
      #expect(target.contains(#".product(name: "StatesTesting", package: "tree")"#))
    }
  }
}

import Foundation

/// The package among whose tests an exported test was written.
struct TestPackage {
  /// The folder, as the file's path begins; empty for the working directory.
  private let folder: String
  /// The path of the file in it.
  private let file: String
  private let manifest: String

  /// The package of a file; `nil` when the file is not among the tests of one.
  init?(of file: String) {
    var parts = file.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    while true {
      let folder = parts.joined(separator: "/")
      let path = parts.isEmpty ? "Package.swift" : folder + "/Package.swift"
      if FileManager.default.fileExists(atPath: path) {
        let rest = String(file.dropFirst(parts.isEmpty ? 0 : folder.count + 1))
        guard rest.hasPrefix("Tests/"), folder.allSatisfy(Self.isPlain) else { return nil }
        (self.folder, self.file) = (folder, rest)
        manifest = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        return
      }
      if parts.isEmpty { return nil }
      parts = parts.dropLast()
    }
  }

  /// The command that runs the tests of a suite and no others; `nil` for an unusual name.
  ///
  /// Both test libraries call a test `Module.Suite/test`. The name alone would also match the module,
  /// which often has the same one.
  func command(running suite: String) -> String? {
    guard suite.allSatisfy(Self.isPlain) else { return nil }
    let place = folder.isEmpty ? "" : " --package-path \(folder)"
    return "swift test\(place) --filter '\\.\(suite)/'"
  }

  /// A test target to add to the manifest; `nil` when one may have the file already.
  ///
  /// - Parameter source: the exported test, whose imports are its dependencies.
  func missingTarget(for source: String) -> String? {
    let parts = file.split(separator: "/")
    guard parts.count > 2, parts[1].allSatisfy(Self.isPlain) else { return nil }
    guard !manifest.isEmpty, !mayCover(folder: String(parts[1])) else { return nil }
    let modules = source.split(separator: "\n").compactMap { line -> String? in
      line.hasPrefix("@testable import ") ? "\"\(line.dropFirst(17))\"" : nil
    }
    let dependencies = modules + [".product(name: \"StatesTesting\", package: \"\(library)\")"]
    return """
      .testTarget(
        name: "\(parts[1])",
        dependencies: [\(dependencies.joined(separator: ", "))])
      """
  }

  /// The name under which the manifest depends on the library.
  private var library: String {
    for product in ["Recorder", "Replaying", "StatesCore"] {
      guard
        let use = manifest.range(of: ".product(name: \"\(product)\", package: \""),
        let end = manifest[use.upperBound...].firstIndex(of: "\"")
      else { continue }
      return String(manifest[use.upperBound..<end])
    }
    return "states-debugger"
  }

  /// Whether a test target has a folder's name or a path in it, or a name that the manifest computes.
  private func mayCover(folder: String) -> Bool {
    manifest.components(separatedBy: ".testTarget").dropFirst().contains { target in
      let words = target.split(whereSeparator: { $0.isWhitespace || $0 == "(" }).prefix(2)
      guard words.first == "name:", words.last?.first == "\"" else { return true }
      return words.last?.hasPrefix("\"\(folder)\"") == true || target.contains("\"Tests/\(folder)")
        || target.contains("path: \"Tests\"")
    }
  }

  /// Whether a shell reads a character as itself.
  private static func isPlain(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || "/._-+".contains(character))
  }
}

import Foundation
import FuzzTargets
import TestSupport
import Testing

/// What fuzzing found worth keeping, tried again in every run. A broken promise traps.
@Suite("fuzz targets hold for their corpus")
struct FuzzCorpusTests {
  private static let corpus = repositoryRoot.appending(path: "Fuzz/Corpus")

  @Test("each input", arguments: FuzzTarget.all.map(\.name))
  func inputs(of name: String) throws {
    let target = try #require(FuzzTarget.all.first { $0.name == name })
    let folders = [Self.corpus.appending(path: name)] + (try Self.seeds(of: name))
    var count = 0
    for folder in folders {
      for file in try FileManager.default.contentsOfDirectory(
        at: folder, includingPropertiesForKeys: [.isRegularFileKey])
      where try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true {
        target.run(Array(try Data(contentsOf: file)))
        count += 1
      }
    }
    #expect(count > 0, "the corpus of \(name) is empty")
  }

  /// Folders of other inputs, which the repository has for another reason.
  private static func seeds(of name: String) throws -> [URL] {
    let list = corpus.appending(path: "\(name).seeds")
    guard FileManager.default.fileExists(atPath: list.path) else { return [] }
    return try String(contentsOf: list, encoding: .utf8).split(whereSeparator: \.isNewline)
      .map { repositoryRoot.appending(path: String($0)) }
  }
}

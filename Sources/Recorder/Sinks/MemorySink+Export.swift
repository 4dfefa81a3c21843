public import TestSource
import Timelines

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension MemorySink {
  /// Makes a test of what a machine did: source, and a fixture where there is too much for source.
  ///
  /// ```swift
  /// struct Coin: Reducible, Codable {
  ///   var isHeads = true
  ///   enum Event: String, Codable { case flipped }
  ///   static func reduce(state: Coin, event: Event) -> Coin { Coin(isHeads: !state.isHeads) }
  /// }
  /// let memory = MemorySink()
  /// var options = RecorderOptions()
  /// options.destinations = [.memory(memory)]
  /// let recorder = StateRecorder(app: "Tests", options: options)
  /// let coin = recorder.record(Machine(Coin()), as: "coin")
  /// coin.send(.flipped)
  /// recorder.flush()
  /// let files = try memory.exportTest(of: "coin")
  /// assert(files.map(\.name) == ["CoinTests.swift"])
  /// ```
  ///
  /// - Parameters:
  ///   - name: The machine's name; of several recordings the first one is taken.
  ///   - export: For which library, and what is asserted.
  ///   - from: The entry whose state the test begins with; the first one unless said otherwise.
  ///   - to: The last entry; the end unless said otherwise.
  /// - Throws: `TestExportError.noMachine(named:recorded:)` where nothing was recorded under that
  ///   name; another `TestExportError` where its recording can become no test.
  public func exportTest(
    of name: String, _ export: TestExport = TestExport(as: .swiftTesting), from: Int64? = nil,
    to: Int64? = nil
  ) throws -> [TestFile] {
    guard let timeline = timeline(named: name) else {
      let names = Set(timelines.map(\.header.machine.name))
      throw TestExportError.noMachine(named: name, recorded: names.sorted())
    }
    return try export.files(of: timeline.stretch(from: from, to: to))
  }
}

extension TestExport {
  /// Makes a test of a `.timeline` file, as a recorder writes it without a daemon.
  ///
  /// A line that was cut off at the end is left out.
  public func files(
    ofFileAt path: String, from: Int64? = nil, to: Int64? = nil
  ) throws -> [TestFile] {
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    return try files(of: TimelineFile.read(bytes).timeline.stretch(from: from, to: to))
  }
}

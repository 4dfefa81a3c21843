public import TestSource
import Timelines

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension MemorySink {
  /// Exports what a machine did as a test: source code, and a fixture if there is too much for
  /// source code.
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
  /// - name: The machine's name. If several recordings have it, the first one is used.
  /// - export: The test library, and what to assert.
  /// - from: The entry whose state the test begins with. Default: the first one.
  /// - to: The last entry. Default: the last one of the recording.
  /// - Throws: `TestExportError.noMachine(named:recorded:)` if nothing was recorded under that
  ///   name; another `TestExportError` if the recording cannot become a test.
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
  /// Makes a test from a `.timeline` file that a recorder wrote.
  ///
  /// An incomplete last line is ignored.
  public func files(
    ofFileAt path: String, from: Int64? = nil, to: Int64? = nil
  ) throws -> [TestFile] {
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    return try files(of: TimelineFile.read(bytes).timeline.stretch(from: from, to: to))
  }
}

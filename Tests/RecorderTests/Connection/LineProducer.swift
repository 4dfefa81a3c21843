import Timelines

@testable import Recorder

/// Writes entries as a pipeline does: a counter whose state is its number.
struct LineProducer {
  let header: Header
  private(set) var last: Int64 = -1
  private var mustBeKeyframe = true
  private let padding: String

  init(_ name: String = "counter", padding: Int = 0) throws {
    header = try sampleHeader(name)
    self.padding = String(repeating: "x", count: padding)
  }

  /// The next entries; every `interval`th is a keyframe.
  mutating func next(_ count: Int, keyframeEvery interval: Int64 = 50) -> [WrittenEntry] {
    (0..<count).map { _ in
      last += 1
      let isKeyframe = mustBeKeyframe || last % interval == 0
      mustBeKeyframe = false
      return WrittenEntry(
        seq: last, line: Array(line(isKeyframe: isKeyframe).utf8), isKeyframe: isKeyframe)
    }
  }

  private func line(isKeyframe: Bool) -> String {
    let state = isKeyframe ? #","state":{"n":\#(last),"text":"\#(padding)"}"# : ""
    guard last > 0 else { return #"{"seq":0,"t":0\#(state)}"# }
    return #"{"seq":\#(last),"t":\#(last),"event":{"add":{"by":1}}\#(state)"#
      + #","patch":[{"op":"replace","path":"/n","value":\#(last)}]}"#
  }

  /// Does what the sink asks for.
  mutating func obey(_ requests: [SinkRequest]) {
    if requests.contains(.keyframe(header.timeline)) { mustBeKeyframe = true }
  }
}

import Foundation
import Recorder

/// A reducer that changes one element of a large array in place.
struct RecordedInPlace {
  private let measure: Measure

  private struct Line: Codable, Sendable {
    var name: String
    var count: Int
  }

  private enum Event: Codable, Sendable {
    case counted(at: Int)
    case renamed(at: Int, String)
  }

  init(_ measure: Measure) {
    self.measure = measure
  }

  @inline(never)
  private static func reduce(_ state: inout [Line], _ event: Event) {
    switch event {
    case .counted(let index): state[index].count &+= 1
    case .renamed(let index, let name): state[index].name = name
    }
  }

  func measure(into values: inout [String: Double]) throws {
    // A line has about 55 bytes as JSON.
    let (large, small) = (Self.lines(19_000), Self.lines(2))
    var (ofLarge, ofSmall): ([Double], [Double]) = ([], [])
    for _ in 0..<(measure.isQuick ? 1 : 5) {
      ofSmall.append(added(to: small))
      ofLarge.append(added(to: large))
      values["record.rss_mb"] = Self.residentMegabytes
    }
    values["record.in_place_1mb_ns"] = Measure.median(ofLarge)
    values["record.in_place_growth"] = Measure.median(ofLarge) / Measure.median(ofSmall)
  }

  private static func lines(_ count: Int) -> [Line] {
    (0..<count).map { Line(name: "a product with a long name, number \($0)", count: $0) }
  }

  /// The nanoseconds that recording adds to a send.
  private func added(to lines: [Line]) -> Double {
    let recorder = measuredRecorder()
    let recorded = recorder.wrap(inPlace: Self.reduce, as: "lines")
    // Each with its own storage.
    var (one, other) = (lines.map(\.self), lines.map(\.self))
    Self.reduce(&one, .counted(at: 0))
    let bare = sends(of: lines.count) { Self.reduce(&one, $0) }
    recorded(&other, .counted(at: 0))
    let with = sends(of: lines.count) { recorded(&other, $0) }
    recorder.flush(within: .seconds(60))
    return with - bare
  }

  private func sends(of lines: Int, _ body: (Event) -> Void) -> Double {
    let count = measure.isQuick ? 100_000 : 1_000_000
    return measure.time {
      for number in 0..<count { body(.counted(at: number &* 7_919 % lines)) }
    } / Double(count)
  }

  /// The resident memory of the process.
  static var residentMegabytes: Double {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else {
      return .nan
    }
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? .nan
    return pages * Double(getpagesize()) / 1e6
  }
}

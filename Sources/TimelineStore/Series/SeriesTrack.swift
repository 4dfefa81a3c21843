internal import JSONCore

/// Collects the points of one path while entries are read.
struct SeriesTrack: Sendable {
  /// The value at the path now; `nil` before the first entry.
  private(set) var value: SeriesValue?

  private(set) var points: [SeriesAnswer.Point] = []

  /// Records the value after an entry.
  ///
  /// - Parameter follows: whether the value before the entry is the last recorded one. After a loss
  ///   it is not, so a difference is not a change by this entry.
  mutating func record(_ next: SeriesValue, in bucket: Int, follows: Bool) {
    guard let before = value else {
      value = next
      points.append(point(next, in: bucket))
      return
    }
    guard before != next else { return }
    value = next
    if points.last?.bucket != bucket {
      var opened = point(before, in: bucket)
      opened.last = next
      points.append(opened)
    }
    let isChange = follows && before != .unknown && next != .unknown
    points[points.count - 1].widen(to: next, isChange: isChange)
  }

  private func point(_ value: SeriesValue, in bucket: Int) -> SeriesAnswer.Point {
    SeriesAnswer.Point(
      bucket: bucket, last: value, least: value.number, greatest: value.number)
  }
}

extension SeriesAnswer.Point {
  fileprivate mutating func widen(to value: SeriesValue, isChange: Bool) {
    last = value
    if isChange { changes += 1 }
    guard let number = value.number else { return }
    least = least.map { min($0, number) } ?? number
    greatest = greatest.map { max($0, number) } ?? number
  }
}

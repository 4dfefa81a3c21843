package import JSONCore

/// A query for how some values change over a stretch, at the resolution of a drawing.
package struct SeriesQuery: Sendable {
  /// The paths, `/state/…` or `/outputs/…`.
  package var paths: [Pointer]
  /// The stretch and its buckets.
  package var stretch: OverviewQuery

  /// The maximum number of paths in one query: more rows than a screen shows.
  package static let pathLimit = 64

  /// The maximum number of buckets: one for each pixel of a wide screen.
  package static let bucketLimit = 2_048

  /// The maximum of paths times buckets, which bounds the answer.
  package static let pointLimit = 32_768

  package init(paths: [Pointer], stretch: OverviewQuery) {
    self.paths = paths
    self.stretch = stretch
  }
}

/// How some values change over a stretch.
///
/// The last value of each bucket is exact. So are the least and the greatest number and the count of
/// changes, except in the buckets of `sampled`: there only some entries were read.
package struct SeriesAnswer: Hashable, Sendable {
  /// The changes of one value.
  package struct Path: Hashable, Sendable {
    /// The buckets in which the value changed, ascending. The first one holds the value at the
    /// start of the stretch.
    package var points: [Point] = []
    /// Whether a stand-in replaces the value, or something that contains it, somewhere in the
    /// stretch. There are no points then, because a stand-in is not a value of the machine.
    package var isRedacted = false
  }

  /// A bucket in which a value changed.
  package struct Point: Hashable, Sendable {
    package var bucket: Int
    /// The value at its end.
    package var last: SeriesValue
    /// The least number in it, counting the value that it begins with.
    package var least: JSON.Number?
    /// The greatest number in it, counting the value that it begins with.
    package var greatest: JSON.Number?
    /// How many entries changed the value.
    package var changes = 0
  }

  /// One for each path.
  package var paths: [Path] = []
  /// The buckets with entries that were lost, or after which the values are not known.
  package var unknown: [ClosedRange<Int>] = []
  /// The buckets in which not every entry was read.
  package var sampled: [ClosedRange<Int>] = []
  /// The last entry of the stretch; `nil` if it has none.
  package var last: Int64?
}

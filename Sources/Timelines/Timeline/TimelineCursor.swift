import JSONCore

/// Moves between the moments of a timeline. Moves to near moments are cheap in both directions.
///
/// A step forward applies one entry. For steps backward, it keeps a limited number of earlier
/// moments, so that a step costs about the square root of the distance to the keyframe.
///
/// ```swift compiled
/// func step(through timeline: Timeline) {
///   var cursor = TimelineCursor(timeline)
///   for seq in (Int64(0)...1_042).reversed() { print(cursor.move(to: seq)?.state ?? nil) }
/// }
/// ```
public struct TimelineCursor: Sendable {
  /// The timeline.
  public let timeline: Timeline

  /// Moments after one keyframe by ascending index; the last one is the cursor's.
  private var trail: [(index: Int, snapshot: Snapshot)] = []

  /// Creates a cursor without a moment.
  public init(_ timeline: Timeline) {
    self.timeline = timeline
  }

  /// Moves to the moment after a seq; `nil` outside of the timeline.
  ///
  /// At an unknown moment, the cursor keeps its moments.
  public mutating func move(to seq: Int64) -> Moment? {
    guard let index = timeline.index(of: seq) else {
      let place = timeline.lost.lastSortedIndex(where: { $0.seqs.lowerBound <= seq })
      return place.map { timeline.lost[$0] }.flatMap { $0.seqs.contains(seq) ? .lost($0) : nil }
    }
    let entry = timeline.entries[index]
    guard !entry.isThinned else { return .thinned(omitted: entry.omitted) }
    guard let place = timeline.keyframes.lastSortedIndex(where: { $0 <= index }) else {
      return .thinned(omitted: nil)
    }
    return .known(snapshot(at: index, keyframe: timeline.keyframes[place]))
  }

  private mutating func snapshot(at index: Int, keyframe: Int) -> Snapshot {
    while let last = trail.last, last.index > index { trail.removeLast() }
    if let last = trail.last, last.index < keyframe { trail.removeAll() }
    if trail.isEmpty { keep(timeline.entries[keyframe], at: keyframe) }
    guard let start = trail.last, start.index < index else {
      return trail.last?.snapshot ?? Snapshot(state: .null)
    }
    // Steps forward keep every sixteenth moment, and a jump keeps the square root of its distance.
    let isStep = index - start.index == 1
    if isStep, trail.count > 1, start.index - trail[trail.count - 2].index < 16 {
      trail.removeLast()
    }
    let stride = max(1, Int(Double(index - start.index).squareRoot()))
    var snapshot = start.snapshot
    for position in start.index + 1...index {
      apply(timeline.entries[position], to: &snapshot)
      if position == index || (position - start.index) % stride == 0 {
        trail.append((position, snapshot))
      }
    }
    if trail.count > Self.keptLimit { halveTrail() }
    return snapshot
  }

  /// Moments share unchanged values; this limits the changed ones.
  static let keptLimit = 256

  var keptCount: Int { trail.count }

  /// Drops every second moment, except the last.
  private mutating func halveTrail() {
    let last = trail.count - 1
    trail = trail.indices.filter { $0 % 2 == 0 || $0 == last }.map { trail[$0] }
  }

  private mutating func keep(_ keyframe: Entry, at index: Int) {
    if let snapshot = Snapshot(keyframe: keyframe) { trail.append((index, snapshot)) }
  }

  private func apply(_ entry: Entry, to snapshot: inout Snapshot) {
    do {
      try snapshot.apply(entry)
    } catch {
      // Appending the entry already applied this patch to the same value.
      preconditionFailure("a patch of a timeline applies: \(error)")
    }
  }
}

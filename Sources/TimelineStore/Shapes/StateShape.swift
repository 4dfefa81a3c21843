internal import JSONCore
internal import Timelines

// Safe: the buffer is lent by the run's bytes for the length of a call.

/// The structure of a machine's state and outputs after an entry.
struct StateShape {
  private(set) var seq: Int64

  /// About the bytes that it takes.
  private(set) var byteCount: Int

  private var state: Shape
  private var outputs: Shape

  /// What a keyframe holds; `nil` for any other entry.
  ///
  /// The run's bytes are kept as long as a part of them is not taken apart. A run has 16 KiB, or one
  /// line alone.
  init?(keyframe fact: EntryFacts, line start: Int, of bytes: [UInt8], seq: Int64) {
    guard let place = fact.places.state else { return nil }
    self.seq = seq
    byteCount = bytes.count
    state = Shape(bytes, at: place.from(start))
    outputs =
      fact.places.outputState.map { Shape(bytes, at: $0.from(start)) } ?? Shape.noOutputs
  }

  /// Goes on to the next entry, which has a patch. After an error the shape is useless.
  mutating func apply(
    _ fact: EntryFacts, line start: Int, of bytes: [UInt8], seq: Int64, work: inout ShapeWork
  ) throws(ShapeFailure) {
    let places = fact.places
    try bytes.withUnsafeBufferPointer { buffer throws(ShapeFailure) in
      var run = ShapePatch(buffer, work: work)
      defer {
        byteCount += run.grown
        work = run.work
      }
      do throws(PatchError) {
        if let patch = places.patch { try run.apply(patch.from(start), to: &state) }
      } catch {
        throw run.work.isExhausted ? .tooMuchWork : .wrong(TimelineError(.patch(error), at: seq))
      }
      do throws(PatchError) {
        if let patch = places.outputs { try run.apply(patch.from(start), to: &outputs) }
      } catch {
        throw run.work.isExhausted ? .tooMuchWork : .wrong(TimelineError(.outputs(error), at: seq))
      }
    }
    self.seq = seq
  }
}

extension Shape {
  /// What a machine without outputs has.
  fileprivate static var noOutputs: Shape { Shape(emptyObject, at: emptyObject.indices) }

  private static let emptyObject = Array("{}".utf8)
}

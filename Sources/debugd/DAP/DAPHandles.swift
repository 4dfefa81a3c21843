import JSONCore
import Timelines

/// What the numbers mean under which an editor asks for frames and variables; they are valid until
/// the recording moves.
struct DAPHandles: Sendable {
  /// A value at an entry.
  struct Place: Hashable, Sendable {
    let timeline: TimelineID
    let seq: Int64
    /// `/state/…`, `/outputs/…`, or `/event/…`.
    let path: Pointer
    /// Whether it shows what the entry changed, instead of one value.
    var isChanges = false
  }

  /// The entry of a frame.
  struct Frame: Hashable, Sendable {
    let timeline: TimelineID
    let seq: Int64
  }

  private var places: [Place] = []
  private var numbers: [Place: Int64] = [:]
  private var frames: [Frame] = []
  private var frameNumbers: [Frame: Int64] = [:]

  /// The number of a place, from 1.
  mutating func number(of place: Place) -> Int64 {
    if let number = numbers[place] { return number }
    places.append(place)
    let number = Int64(places.count)
    numbers[place] = number
    return number
  }

  func place(_ number: Int64) throws -> Place {
    guard number > 0, number <= places.count else {
      throw DAPError("The recording has moved, so this value is outdated.")
    }
    return places[Int(number - 1)]
  }

  /// The number of a frame, from 1.
  mutating func number(of frame: Frame) -> Int64 {
    if let number = frameNumbers[frame] { return number }
    frames.append(frame)
    let number = Int64(frames.count)
    frameNumbers[frame] = number
    return number
  }

  func frame(_ number: Int64) throws -> Frame {
    guard number > 0, number <= frames.count else {
      throw DAPError("The recording has moved, so this frame is outdated.")
    }
    return frames[Int(number - 1)]
  }
}

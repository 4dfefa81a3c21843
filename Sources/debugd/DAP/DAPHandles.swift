import JSONCore
import Timelines

/// What the numbers mean under which an editor asks for frames and variables; they are valid until
/// the recording moves. A number is never used for something else afterward.
struct DAPHandles: Sendable {
  /// A value at an entry.
  struct Place: Hashable, Sendable {
    let timeline: TimelineID
    let seq: Int64
    /// `/state/…`, `/outputs/…`, or `/event/…`.
    var path: Pointer
    /// Whether it shows what the entry changed, instead of one value.
    var isChanges = false
    /// Whether it is a value before the entry that the editor shows; `seq` is the one before it.
    var isBefore = false
  }

  /// The entry of a frame.
  struct Frame: Hashable, Sendable {
    let timeline: TimelineID
    let seq: Int64
  }

  private var places: [Place] = []
  private var numbers: [Place: Int64] = [:]
  private var firstPlace: Int64 = 1
  private var frames: [Frame] = []
  private var frameNumbers: [Frame: Int64] = [:]
  private var firstFrame: Int64 = 1

  /// Makes all numbers outdated.
  mutating func forgetAll() {
    firstPlace += Int64(places.count)
    firstFrame += Int64(frames.count)
    (places, numbers, frames, frameNumbers) = ([], [:], [], [:])
  }

  mutating func number(of place: Place) -> Int64 {
    if let number = numbers[place] { return number }
    let number = firstPlace + Int64(places.count)
    places.append(place)
    numbers[place] = number
    return number
  }

  func place(_ number: Int64) throws -> Place {
    guard number >= firstPlace, number - firstPlace < places.count else {
      throw DAPError("The recording has moved, so this value is outdated.")
    }
    return places[Int(number - firstPlace)]
  }

  mutating func number(of frame: Frame) -> Int64 {
    if let number = frameNumbers[frame] { return number }
    let number = firstFrame + Int64(frames.count)
    frames.append(frame)
    frameNumbers[frame] = number
    return number
  }

  func frame(_ number: Int64) throws -> Frame {
    guard number >= firstFrame, number - firstFrame < frames.count else {
      throw DAPError("The recording has moved, so this frame is outdated.")
    }
    return frames[Int(number - firstFrame)]
  }
}

import JSONCore
import Timelines

/// Decodes a recorded event as today's type.
func decodeEvent<Event: Decodable>(
  _ type: Event.Type = Event.self, from slice: JSONSlice
) throws(ReplayError) -> Event {
  do {
    return try CanonicalDecoder().decode(type, from: slice)
  } catch {
    throw ReplayError(.undecodableEvent(name: Entry.name(of: slice), why: sentence(error)))
  }
}

/// Decodes a recorded state as today's type.
func decodeState<State: Decodable>(
  _ type: State.Type = State.self, from slice: JSONSlice
) throws(ReplayError) -> State {
  do {
    return try CanonicalDecoder().decode(type, from: slice)
  } catch {
    throw ReplayError(.undecodableState(why: sentence(error)))
  }
}

/// Describes decoding errors.
package enum DecodingSentence {
  /// Whether sentences contain no values, because the machine hides some.
  @TaskLocal private static var hidesValues = false

  /// A sentence with the error and its path.
  package static func text(of error: any Error, hidesValues: Bool = false) -> String {
    $hidesValues.withValue(hidesValues) { sentence(error) }
  }

  /// Decodes something. If `hidesValues`, its errors contain no values.
  package static func reading<Success>(
    hidesValues: Bool, _ work: () throws(ReplayError) -> Success
  ) throws(ReplayError) -> Success {
    guard hidesValues else { return try work() }
    return try $hidesValues.withValue(true) {
      Result { () throws(ReplayError) in try work() }
    }.get()
  }

  fileprivate static func visible(_ error: any Error) -> any Error {
    hidesValues ? DecodingError.withoutValues(error, at: []) : error
  }
}

/// A sentence with the error and its path.
func sentence(_ error: any Error) -> String {
  let error = DecodingSentence.visible(error)
  return switch error as? DecodingError {
  case .typeMismatch(let type, let context):
    sentence(mismatch(type, context.debugDescription), at: context.codingPath)
  case .valueNotFound(_, let context), .dataCorrupted(let context):
    sentence(context.debugDescription, at: context.codingPath)
  case .keyNotFound(let key, let context):
    sentence("the key \(key.stringValue.debugDescription) is missing", at: context.codingPath)
  default:
    "\(error)"
  }
}

/// The mismatch of a container in the words of JSON; other texts stay.
private func mismatch(_ type: any Any.Type, _ text: String) -> String {
  let expected =
    type == [String: Any].self ? "an object" : type == [Any].self ? "an array" : nil
  guard let expected, let start = text.firstRange(of: " found "), text.hasSuffix(" instead.") else {
    return text
  }
  let found = text[start.upperBound...].dropLast(" instead.".count)
  return "the recording has \(found) where today's type has \(expected)"
}

private func sentence(_ what: String, at path: [any CodingKey]) -> String {
  var place = ""
  for key in path { place += "/" + (key.intValue.map { "\($0)" } ?? key.stringValue) }
  return place.isEmpty ? what : "\(what) (at \(place))"
}

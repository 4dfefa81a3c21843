import JSONCore
import Timelines

/// Reads a recorded event of today's type.
func decodeEvent<Event: Decodable>(
  _ type: Event.Type = Event.self, from slice: JSONSlice
) throws(ReplayError) -> Event {
  do {
    return try CanonicalDecoder().decode(type, from: slice)
  } catch {
    throw ReplayError(.undecodableEvent(name: Entry.name(of: slice), why: sentence(error)))
  }
}

/// Reads a recorded state of today's type.
func decodeState<State: Decodable>(
  _ type: State.Type = State.self, from slice: JSONSlice
) throws(ReplayError) -> State {
  do {
    return try CanonicalDecoder().decode(type, from: slice)
  } catch {
    throw ReplayError(.undecodableState(why: sentence(error)))
  }
}

/// What decoders say, as a sentence.
package enum DecodingSentence {
  /// What was wrong, with the place.
  package static func text(of error: any Error) -> String { sentence(error) }
}

/// What a decoder says, with the place.
func sentence(_ error: any Error) -> String {
  switch error as? DecodingError {
  case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
    sentence(context.debugDescription, at: context.codingPath)
  case .keyNotFound(let key, let context):
    sentence("the key \(key.stringValue.debugDescription) is missing", at: context.codingPath)
  default:
    "\(error)"
  }
}

private func sentence(_ what: String, at path: [any CodingKey]) -> String {
  var place = ""
  for key in path { place += "/" + (key.intValue.map { "\($0)" } ?? key.stringValue) }
  return place.isEmpty ? what : "\(what) (at \(place))"
}

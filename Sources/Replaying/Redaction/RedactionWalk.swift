import JSONCore

/// The walks over JSON that hide something in it. Each answers the value without it, and tells the
/// places below `path`.
struct RedactionWalk {
  /// Notes what was hidden at a place; whether its texts are secrets elsewhere too.
  typealias Note = (_ pointer: Pointer, _ real: JSON, _ isSecret: Bool) -> Void

  /// Notes that the last key of a place is another one in what is written.
  typealias Renamed = (_ former: Pointer, _ name: String) -> Void

  /// Puts stand-ins in the place of marks.
  static func resolve(
    _ value: JSON, _ marks: RedactionMarks, at path: Pointer, note: Note
  ) -> JSON {
    map(value, at: path) { value, path in
      guard case .string(let text) = value, let meaning = marks.meaning(of: text) else {
        return nil
      }
      note(path, meaning.real, meaning.real != meaning.standIn)
      return meaning.standIn
    }
  }

  /// Hides what a pattern means.
  static func hide(
    _ value: JSON, _ pattern: RedactionPattern, standIn: JSON?, at path: Pointer, note: Note
  ) -> JSON {
    hide(value, pattern, pattern.start, standIn, path, note)
  }

  private static func hide(
    _ value: JSON, _ pattern: RedactionPattern, _ places: [Int], _ standIn: JSON?, _ path: Pointer,
    _ note: Note
  ) -> JSON {
    if pattern.isMatch(places) {
      let shown = standIn ?? Self.standIn(for: value)
      note(path, value, value != shown)
      return shown
    }
    guard !places.isEmpty else { return value }
    return mapChildren(value) { token, child in
      hide(child, pattern, pattern.advance(places, by: token), standIn, path.appending(token), note)
    }
  }

  /// Hides secrets wherever they occur in texts and keys.
  ///
  /// `path` is where the value is in what is written, `former` where it was with the keys that it had.
  static func mask(
    _ value: JSON, _ secrets: SecretTexts, at path: Pointer, was former: Pointer, note: Note,
    renamed: Renamed
  ) -> JSON {
    switch value {
    case .string(let text):
      guard let masked = secrets.masking(text) else { return value }
      note(path, value, false)
      return .string(masked)
    case .object(let members):
      var result = JSON.Object()
      for (key, member) in members {
        var name = key
        if let masked = secrets.masking(key, isKey: true) {
          name = masked
          var number = 2
          while result[name] != nil || members[name] != nil {
            name = "\(masked)\(number)"
            number += 1
          }
          note(path.appending(name), member, false)
          renamed(former.appending(key), name)
        }
        result[name] = mask(
          member, secrets, at: path.appending(name), was: former.appending(key), note: note,
          renamed: renamed)
      }
      return .object(result)
    case .array:
      return mapChildren(value) {
        mask(
          $1, secrets, at: path.appending($0), was: former.appending($0), note: note,
          renamed: renamed)
      }
    case .null, .bool, .number: return value
    }
  }

  /// A value of the same JSON type that tells nothing; an object keeps its keys, so that it can still
  /// be decoded.
  static func standIn(for value: JSON) -> JSON {
    switch value {
    case .null: .null
    case .bool: false
    case .number: 0
    case .string: ""
    case .array: []
    case .object: mapChildren(value) { standIn(for: $1) }
    }
  }

  /// The places at which two encodings of one state differ: the smallest ones, or those where the
  /// whole of `left` and `right` stands, which are two encodings of one property.
  static func differences(
    _ one: JSON, _ other: JSON, whole: (JSON, JSON)?, at path: Pointer = .root
  ) -> [Pointer] {
    guard one != other else { return [] }
    if let whole, one == whole.0, other == whole.1 { return [path] }
    switch (one, other) {
    case (.object(let left), .object(let right)):
      var found: [Pointer] = []
      for (key, value) in left {
        let path = path.appending(key)
        guard let counterpart = right[key] else {
          found.append(path)
          continue
        }
        found += differences(value, counterpart, whole: whole, at: path)
      }
      for (key, _) in right where left[key] == nil { found.append(path.appending(key)) }
      return found
    case (.array(let left), .array(let right)) where left.count == right.count:
      return zip(left, right).enumerated().flatMap { index, pair in
        differences(pair.0, pair.1, whole: whole, at: path.appending(index))
      }
    default: return [path]
    }
  }

  private static func map(
    _ value: JSON, at path: Pointer, _ replace: (JSON, Pointer) -> JSON?
  ) -> JSON {
    if let replaced = replace(value, path) { return replaced }
    return mapChildren(value) { map($1, at: path.appending($0), replace) }
  }

  private static func mapChildren(_ value: JSON, _ change: (String, JSON) -> JSON) -> JSON {
    switch value {
    case .array(let elements):
      return .array(elements.enumerated().map { change("\($0)", $1) })
    case .object(let members):
      var result = JSON.Object()
      result.reserveCapacity(members.count)
      for (key, member) in members { result[key] = change(key, member) }
      return .object(result)
    case .null, .bool, .number, .string: return value
    }
  }
}

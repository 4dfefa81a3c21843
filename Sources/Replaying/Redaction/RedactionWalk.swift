import JSONCore

/// Hides values in JSON. Each function returns the redacted value, and reports the places below
/// `path`.
struct RedactionWalk {
  /// Receives a hidden value, and whether its texts are secrets elsewhere, too.
  typealias Note = (_ pointer: Pointer, _ real: JSON, _ isSecret: Bool) -> Void

  /// Receives a place whose last key was replaced.
  typealias Renamed = (_ former: Pointer, _ name: String) -> Void

  /// Replaces marks with stand-ins.
  static func resolve(
    _ value: JSON, _ meaning: (String) -> RedactionMarks.Meaning?, at path: Pointer, note: Note
  ) -> JSON {
    var steps: [Step] = []
    return replace(value, &steps) { value, steps in
      guard case .string(let text) = value, let meaning = meaning(text) else { return nil }
      note(pointer(path, steps), meaning.real.json, meaning.real.json != meaning.standIn)
      return meaning.standIn
    } ?? value
  }

  /// Hides the values that match a pattern.
  static func hide(
    _ value: JSON, _ pattern: RedactionPattern, standIn: JSON?, at path: Pointer, note: Note
  ) -> JSON {
    var steps: [Step] = []
    return hide(value, pattern, pattern.start, standIn, path, &steps, note) ?? value
  }

  private static func hide(
    _ value: JSON, _ pattern: RedactionPattern, _ places: [Int], _ standIn: JSON?, _ path: Pointer,
    _ steps: inout [Step], _ note: Note
  ) -> JSON? {
    if pattern.isMatch(places) {
      let shown = standIn ?? Self.standIn(for: value)
      note(pointer(path, steps), value, value != shown)
      return shown
    }
    guard !places.isEmpty else { return nil }
    return replaceChildren(value, &steps) { child, steps in
      guard let step = steps.last else { return nil }
      return hide(
        child, pattern, pattern.advance(places, by: step.token), standIn, path, &steps, note)
    }
  }

  /// Masks secrets in texts, keys, and numbers.
  ///
  /// `renamed` receives the place of each replaced key.
  static func mask(
    _ value: JSON, _ secrets: SecretTexts, at path: Pointer, note: Note, renamed: Renamed
  ) -> JSON {
    var (steps, former): ([Step], [Step]) = ([], [])
    return mask(value, secrets, path, &steps, &former, note, renamed) ?? value
  }

  private static func mask(
    _ value: JSON, _ secrets: SecretTexts, _ path: Pointer, _ steps: inout [Step],
    _ former: inout [Step], _ note: Note, _ renamed: Renamed
  ) -> JSON? {
    switch value {
    case .string(let text):
      guard let masked = secrets.masking(text) else { return nil }
      note(pointer(path, steps), value, false)
      return .string(masked)
    case .number:
      guard secrets.hides(number: value) else { return nil }
      note(pointer(path, steps), value, false)
      return 0
    case .object(let members):
      return maskMembers(members, secrets, path, &steps, &former, note, renamed)
    case .array(let elements):
      var result: [JSON]?
      for (index, element) in elements.enumerated() {
        steps.append(.index(index))
        former.append(.index(index))
        if let masked = mask(element, secrets, path, &steps, &former, note, renamed) {
          if result == nil { result = elements }
          result?[index] = masked
        }
        steps.removeLast()
        former.removeLast()
      }
      return result.map(JSON.array)
    case .null, .bool: return nil
    }
  }

  private static func maskMembers(
    _ members: JSON.Object, _ secrets: SecretTexts, _ path: Pointer, _ steps: inout [Step],
    _ former: inout [Step], _ note: Note, _ renamed: Renamed
  ) -> JSON? {
    var result = JSON.Object()
    var isChanged = false
    for (key, member) in members {
      var name = key
      if let masked = secrets.masking(key, isKey: true) {
        name = masked
        var number = 2
        while result[name] != nil || members[name] != nil {
          name = "\(masked)\(number)"
          number += 1
        }
        note(pointer(path, steps + [.key(name)]), member, false)
        renamed(pointer(path, former + [.key(key)]), name)
        isChanged = true
      }
      steps.append(.key(name))
      former.append(.key(key))
      let masked = mask(member, secrets, path, &steps, &former, note, renamed)
      steps.removeLast()
      former.removeLast()
      if masked != nil { isChanged = true }
      result[name] = masked ?? member
    }
    return isChanged ? .object(result) : nil
  }

  /// A value of the same JSON type without information. An object keeps its keys, so that it can be
  /// decoded.
  static func standIn(for value: JSON) -> JSON {
    switch value {
    case .null: .null
    case .bool: false
    case .number: 0
    case .string: ""
    case .array: []
    case .object: standIns(inObject: value)
    }
  }

  /// The innermost places at which two encodings of a state differ, or the places of the whole `left`
  /// and `right`, which are two encodings of one property.
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

  // MARK: Walking

  /// A step of a path. Most paths are never converted to text.
  private enum Step {
    case key(String)
    case index(Int)

    var token: String {
      switch self {
      case .key(let key): key
      case .index(let index): "\(index)"
      }
    }
  }

  private static func pointer(_ path: Pointer, _ steps: [Step]) -> Pointer {
    Pointer(tokens: path.tokens + steps.map(\.token))
  }

  /// The value with replaced parts; `nil` if nothing was replaced.
  private static func replace(
    _ value: JSON, _ steps: inout [Step], _ change: (JSON, [Step]) -> JSON?
  ) -> JSON? {
    if let replaced = change(value, steps) { return replaced }
    return replaceChildren(value, &steps) { replace($0, &$1, change) }
  }

  private static func replaceChildren(
    _ value: JSON, _ steps: inout [Step], _ change: (JSON, inout [Step]) -> JSON?
  ) -> JSON? {
    switch value {
    case .array(let elements):
      var result: [JSON]?
      for (index, element) in elements.enumerated() {
        steps.append(.index(index))
        if let changed = change(element, &steps) {
          if result == nil { result = elements }
          result?[index] = changed
        }
        steps.removeLast()
      }
      return result.map(JSON.array)
    case .object(let members):
      var result: JSON.Object?
      for (key, member) in members {
        steps.append(.key(key))
        if let changed = change(member, &steps) {
          if result == nil { result = members }
          result?[key] = changed
        }
        steps.removeLast()
      }
      return result.map(JSON.object)
    case .null, .bool, .number, .string: return nil
    }
  }

  private static func standIns(inObject value: JSON) -> JSON {
    var steps: [Step] = []
    return replaceChildren(value, &steps) { child, _ in standIn(for: child) } ?? value
  }
}

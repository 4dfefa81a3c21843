/// How to undo a change of one child of an array or object, or of the whole value.
enum ChildChange {
  case replaced(JSON)
  case replacedElement(Int, JSON)
  case replacedMember(place: Int, JSON)
  case insertedElement(Int)
  case removedElement(Int, JSON)
  case appendedMember
  case removedMember(JSON.Object.Removal)
}

extension JSON {
  /// Lends the value at the end of the path, to be changed in place.
  mutating func withValue<Result>(
    at path: ArraySlice<String>,
    _ body: (inout JSON) throws(PatchError.Reason) -> Result
  ) throws(PatchError.Reason) -> Result {
    guard let token = path.first else { return try body(&self) }
    if var object = moveOutObject() {
      defer { self = .object(object) }
      let place = try Self.place(token, in: object)
      return try object.withValue(at: place) { value throws(PatchError.Reason) in
        try value.withValue(at: path.dropFirst(), body)
      }
    }
    guard var array = moveOutArray() else { throw .notAContainer }
    defer { self = .array(array) }
    let index = try Self.index(token, below: array.count, of: array.count)
    return try array[index].withValue(at: path.dropFirst(), body)
  }

  /// The value at the end of the path.
  func value(at path: Pointer) throws(PatchError.Reason) -> JSON {
    var value = self
    for token in path.tokens {
      switch value {
      case .object(let object):
        value = object.places[try Self.place(token, in: object)].value
      case .array(let array):
        value = array[try Self.index(token, below: array.count, of: array.count)]
      default:
        throw .notAContainer
      }
    }
    return value
  }

  /// Inserts an element, sets a member, or replaces the whole without a token; returns how to undo
  /// that and how many elements were shifted.
  mutating func insertChild(
    _ token: String?, _ value: JSON
  ) throws(PatchError.Reason) -> (ChildChange, shifted: Int) {
    guard let token else { return try replaceChild(nil, with: value) }
    if var object = moveOutObject() {
      defer { self = .object(object) }
      guard let place = object.place(of: token) else {
        object.append(token, value)
        return (.appendedMember, 0)
      }
      let old = object.withValue(at: place) { Self.exchange(&$0, value) }
      return (.replacedMember(place: place, old), 0)
    }
    guard var array = moveOutArray() else { throw .notAContainer }
    defer { self = .array(array) }
    let count = array.count
    let index = token == "-" ? count : try Self.index(token, below: count + 1, of: count)
    array.insert(value, at: index)
    return (.insertedElement(index), count - index)
  }

  /// Replaces a child, or the whole without a token.
  mutating func replaceChild(
    _ token: String?, with value: JSON
  ) throws(PatchError.Reason) -> (ChildChange, shifted: Int) {
    guard let token else { return (.replaced(Self.exchange(&self, value)), 0) }
    if var object = moveOutObject() {
      defer { self = .object(object) }
      let place = try Self.place(token, in: object)
      let old = object.withValue(at: place) { Self.exchange(&$0, value) }
      return (.replacedMember(place: place, old), 0)
    }
    guard var array = moveOutArray() else { throw .notAContainer }
    defer { self = .array(array) }
    let index = try Self.index(token, below: array.count, of: array.count)
    return (.replacedElement(index, Self.exchange(&array[index], value)), 0)
  }

  mutating func removeChild(
    _ token: String?, _ removed: inout JSON
  ) throws(PatchError.Reason) -> (ChildChange, shifted: Int) {
    guard let token else { throw .removesRoot }
    if var object = moveOutObject() {
      defer { self = .object(object) }
      let place = try Self.place(token, in: object)
      removed = object.places[place].value
      return (.removedMember(object.removeUndoably(at: place)), 0)
    }
    guard var array = moveOutArray() else { throw .notAContainer }
    defer { self = .array(array) }
    let index = try Self.index(token, below: array.count, of: array.count)
    removed = array.remove(at: index)
    return (.removedElement(index, removed), array.count - index)
  }

  /// Undoes a change, if nothing else has changed since.
  mutating func undo(_ change: ChildChange) {
    if case .replaced(let old) = change {
      self = old
    } else if var object = moveOutObject() {
      Self.undo(change, in: &object)
      self = .object(object)
    } else if var array = moveOutArray() {
      Self.undo(change, in: &array)
      self = .array(array)
    }
  }

  // An array or object is moved out of the value before it changes, so that it is uniquely
  // referenced and not copied. A `switch` over the value would hold a second reference until its
  // end.

  private mutating func moveOutArray() -> [JSON]? {
    guard case .array(let array) = self else { return nil }
    self = .null
    return array
  }

  private mutating func moveOutObject() -> Object? {
    guard case .object(let object) = self else { return nil }
    self = .null
    return object
  }

  private static func undo(_ change: ChildChange, in array: inout [JSON]) {
    switch change {
    case .replacedElement(let index, let old): array[index] = old
    case .insertedElement(let index): array.remove(at: index)
    case .removedElement(let index, let old): array.insert(old, at: index)
    case .replaced, .replacedMember, .appendedMember, .removedMember: break
    }
  }

  private static func undo(_ change: ChildChange, in object: inout Object) {
    switch change {
    case .replacedMember(let place, let old): object.withValue(at: place) { $0 = old }
    case .appendedMember: object.undoAppend()
    case .removedMember(let removal): object.undo(removal)
    case .replaced, .replacedElement, .insertedElement, .removedElement: break
    }
  }

  private static func place(
    _ token: String, in object: Object
  ) throws(PatchError.Reason) -> Int {
    guard let place = object.place(of: token) else { throw .nothingThere }
    return place
  }

  private static func exchange(_ value: inout JSON, _ new: JSON) -> JSON {
    let old = value
    value = new
    return old
  }

  private static func index(
    _ token: String, below end: Int, of count: Int
  ) throws(PatchError.Reason) -> Int {
    guard let index = Pointer.index(token) else { throw .notAnIndex(token) }
    guard index < end else { throw .indexOutOfRange(index, count: count) }
    return index
  }
}

import JSONCore

extension JSONView {
  /// The name of an event: the value of `type` when that is a string, the only key of an object
  /// with one, or a string itself; `nil` where the event does not tell.
  var eventName: String? {
    if let string { return string }
    guard kind == .object else { return nil }
    if let type = self["type"]?.string { return type }
    switch self {
    case .tree(let json):
      guard let object = json.object, object.count == 1 else { return nil }
      return object.keys.first
    case .text(let slice):
      var members = slice.members
      guard let first = members.next(), members.next() == nil else { return nil }
      return first.key
    }
  }
}

public import JSONCore

/// Unknown members, which are preserved and written at the end.
public struct UnknownMembers: Sendable {
  private var members: [JSONSlice.Member] = []

  /// No members.
  public init() {}

  /// The unknown members of an object.
  init(of object: JSONSlice, except known: [String]) {
    members = object.members.filter { member in !known.contains { member.hasKey($0) } }
  }

  /// The value of an unknown key.
  public subscript(key: String) -> JSONSlice? { members.first { $0.hasKey(key) }?.value }

  /// The keys in their order.
  public var keys: [String] { members.map(\.key) }

  /// Writes the members into the open object.
  func write(to text: inout JSONText) {
    for member in members { text.member(member.key, raw: member.value.bytes) }
  }
}

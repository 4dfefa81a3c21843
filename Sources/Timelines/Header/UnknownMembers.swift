public import JSONCore

/// Members that this build does not know, kept as they were written and written again at the end.
public struct UnknownMembers: Sendable {
  private var members: [JSONSlice.Member] = []

  /// None.
  public init() {}

  /// The members of an object but the known ones.
  init(of object: JSONSlice, except known: [String]) {
    members = object.members.filter { member in !known.contains { member.hasKey($0) } }
  }

  /// The value of an unknown key.
  public subscript(key: String) -> JSONSlice? { members.first { $0.hasKey(key) }?.value }

  /// The keys in the order in which they were written.
  public var keys: [String] { members.map(\.key) }

  /// Writes the members into the object that is open.
  func write(to text: inout JSONText) {
    for member in members { text.member(member.key, raw: member.value.bytes) }
  }
}

/// Why a patch cannot be read or does not apply.
public struct PatchError: Error, Hashable, Sendable {
  /// The operation's place in the patch; `nil` when the patch is not a list of operations.
  public var operation: Int?

  /// The path at which it failed; `nil` when the operation does not have one that can be read.
  public var path: Pointer?

  /// What is wrong.
  public var reason: Reason

  /// An error in an operation.
  public init(_ reason: Reason, operation: Int? = nil, path: Pointer? = nil) {
    self.reason = reason
    self.operation = operation
    self.path = path
  }

  /// What can be wrong with a patch.
  public enum Reason: Error, Hashable, Sendable {
    /// The patch is not an array.
    case notAnArray
    /// An operation is not an object.
    case notAnObject
    /// An operation lacks this member.
    case missing(String)
    /// This member of an operation is not a string.
    case notAString(String)
    /// RFC 6902 has no operation of this name.
    case unknownOperation(String)
    /// This member of an operation is not a pointer.
    case pointer(member: String, PointerError)

    /// The path does not exist.
    case nothingThere
    /// The path continues below a value that is neither an array nor an object.
    case notAContainer
    /// Not an index: digits without leading zeros.
    case notAnIndex(String)
    /// The index is beyond the array, which has so many elements.
    case indexOutOfRange(Int, count: Int)
    /// The whole value cannot be removed, only replaced.
    case removesRoot
    /// A value cannot be moved into itself.
    case movesIntoItself
    /// The value differs from the one that the test expects.
    case testFailed
    /// Arrays and objects are nested deeper than allowed.
    case tooDeep(limit: Int)
    /// The copies are larger than allowed.
    case copiesTooMuch(limit: Int)
    /// More array elements would be shifted than allowed.
    case shiftsTooMuch(limit: Int)
  }
}

extension PatchError: CustomStringConvertible {
  /// A sentence with the place.
  public var description: String {
    guard let operation else { return "\(reason)" }
    guard let path else { return "operation \(operation): \(reason)" }
    return "operation \(operation) at \(path.description.debugDescription): \(reason)"
  }
}

extension PatchError.Reason: CustomStringConvertible {
  /// A sentence without the place.
  public var description: String {
    switch self {
    case .notAnArray: "a patch must be an array of operations"
    case .notAnObject: "an operation must be an object"
    case .missing(let member): "the member \(member.debugDescription) is missing"
    case .notAString(let member): "the member \(member.debugDescription) is not a string"
    case .unknownOperation(let name):
      """
      unknown operation \(name.debugDescription); \
      expected add, remove, replace, move, copy, or test
      """
    case .pointer(let member, let error): "the member \(member.debugDescription): \(error)"
    case .nothingThere: "the path does not exist"
    case .notAContainer: "the path continues below a value that is neither an array nor an object"
    case .notAnIndex(let token): "\(token.debugDescription) is not an index of an array"
    case .indexOutOfRange(let index, let count):
      "index \(index) is beyond the array of \(count) elements"
    case .removesRoot: "the whole value cannot be removed; to fix, replace it"
    case .movesIntoItself: "a value cannot be moved into itself"
    case .testFailed: "the value differs from the expected one"
    case .tooDeep(let limit): "arrays and objects are nested more than \(limit) levels deep"
    case .copiesTooMuch(let limit): "the operations copy more than \(limit) bytes"
    case .shiftsTooMuch(let limit): "the operations shift more than \(limit) elements"
    }
  }
}

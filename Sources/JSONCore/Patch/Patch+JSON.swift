extension Patch {
  /// Reads a patch; members that RFC 6902 does not name are ignored.
  public init(_ json: JSON) throws(PatchError) {
    guard case .array(let elements) = json else { throw PatchError(.notAnArray) }
    operations = []
    operations.reserveCapacity(elements.count)
    for element in elements {
      guard case .object(let object) = element else {
        throw PatchError(.notAnObject, operation: operations.count)
      }
      let parts = OperationParts(
        op: object["op"].map { $0.string }, path: object["path"].map { $0.string },
        from: object["from"].map { $0.string }, value: object["value"])
      operations.append(try parts.operation(at: operations.count))
    }
  }

  /// Reads a patch from its text; members that RFC 6902 does not name are ignored.
  public init(_ slice: JSONSlice) throws(PatchError) {
    guard slice.kind == .array else { throw PatchError(.notAnArray) }
    operations = []
    for element in slice.elements {
      guard element.kind == .object else {
        throw PatchError(.notAnObject, operation: operations.count)
      }
      var parts = OperationParts()
      for member in element.members {
        switch member.key {
        case "op": parts.op = .some(member.value.string)
        case "path": parts.path = .some(member.value.string)
        case "from": parts.from = .some(member.value.string)
        case "value": parts.value = member.value.value
        default: break
        }
      }
      operations.append(try parts.operation(at: operations.count))
    }
  }

  /// The patch as JSON.
  public var json: JSON {
    .array(operations.map(\.json))
  }
}

extension Patch.Operation {
  /// The operation as JSON, its members in the order of RFC 6902's examples.
  public var json: JSON {
    var object = JSON.Object()
    object["op"] = .string(name)
    switch self {
    case .move(let from, _), .copy(let from, _): object["from"] = .string(from.description)
    case .add, .remove, .replace, .test: break
    }
    object["path"] = .string(path.description)
    switch self {
    case .add(_, let value), .replace(_, let value), .test(_, let value): object["value"] = value
    case .remove, .move, .copy: break
    }
    return .object(object)
  }
}

/// The members of an operation as they were found: the inner `nil` is one that is not a string.
private struct OperationParts {
  var op: String??
  var path: String??
  var from: String??
  var value: JSON?

  func operation(at index: Int) throws(PatchError) -> Patch.Operation {
    let name = try text(op, "op", index)
    guard ["add", "remove", "replace", "move", "copy", "test"].contains(name) else {
      throw PatchError(.unknownOperation(name), operation: index)
    }
    let path = try pointer(path, "path", index)
    switch name {
    case "add": return .add(path, try value(index, path))
    case "replace": return .replace(path, try value(index, path))
    case "test": return .test(path, try value(index, path))
    case "move": return .move(from: try pointer(from, "from", index), to: path)
    case "copy": return .copy(from: try pointer(from, "from", index), to: path)
    default: return .remove(path)
    }
  }

  private func text(_ found: String??, _ member: String, _ index: Int) throws(PatchError) -> String
  {
    guard let found else { throw PatchError(.missing(member), operation: index) }
    guard let found else { throw PatchError(.notAString(member), operation: index) }
    return found
  }

  private func pointer(
    _ found: String??, _ member: String, _ index: Int
  ) throws(PatchError) -> Pointer {
    let text = try text(found, member, index)
    do {
      return try Pointer(text)
    } catch {
      throw PatchError(.pointer(member: member, error), operation: index)
    }
  }

  private func value(_ index: Int, _ path: Pointer) throws(PatchError) -> JSON {
    guard let value else { throw PatchError(.missing("value"), operation: index, path: path) }
    return value
  }
}

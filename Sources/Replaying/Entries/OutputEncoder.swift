import JSONCore

/// Keeps the outputs of the previous entry, and computes patches from them.
struct OutputEncoder {
  private var current: [RecordedOutput] = []

  mutating func start(_ outputs: [RecordedOutput]) {
    current = outputs
  }

  /// Advances to the next outputs. Returns the patch, or `nil` if no output changed.
  mutating func advance(to next: [RecordedOutput]) -> [UInt8]? {
    change(to: next)?.json.encoded()
  }

  /// Advances to the next outputs. Returns the patch, or `nil` if no output changed.
  mutating func change(to next: [RecordedOutput]) -> Patch? {
    guard next != current else { return nil }
    var operations: [Patch.Operation] = []
    for old in current where !next.contains(where: { $0.name == old.name }) {
      operations.append(.remove(Pointer(tokens: [old.name])))
    }
    for new in next {
      let path = Pointer(tokens: [new.name])
      guard let old = current.first(where: { $0.name == new.name }) else {
        operations.append(.add(path, Self.value(new)))
        continue
      }
      guard old.json != new.json else { continue }
      let patch = Patch.difference(from: Self.value(old), to: Self.value(new), at: path)
      operations += patch.operations
    }
    current = next
    return operations.isEmpty ? nil : Patch(operations)
  }

  /// All outputs as an object.
  var bytes: [UInt8] {
    var object: [UInt8] = [UInt8(ascii: "{")]
    for output in current {
      if object.count > 1 { object.append(UInt8(ascii: ",")) }
      object += JSON.string(output.name).encoded()
      object.append(UInt8(ascii: ":"))
      object += output.json
    }
    object.append(UInt8(ascii: "}"))
    return object
  }

  /// The value of an output, which always is valid JSON from an encoder or a checked recording.
  private static func value(_ output: RecordedOutput) -> JSON {
    (try? JSON(parsing: output.json)) ?? .null
  }
}

#if !canImport(Darwin)
  @_spi(Reflection) internal import Swift
#endif

/// A stored field of a struct or tuple.
struct StoredField {
  let offset: Int
  let type: Any.Type
  /// Whether the field's own type is a struct or a tuple, whose fields can be read in turn.
  let isAggregate: Bool
  let isEnum: Bool
}

/// The stored fields of a struct or tuple, in the order of their offsets; `nil` if they cannot be
/// read.
///
/// On Linux the standard library has a function for this; on Apple platforms it is not public, so
/// the result is `nil`, and nothing is reused.
func storedFields(of type: Any.Type) -> [StoredField]? {
  #if canImport(Darwin)
    return nil
  #else
    var fields: [StoredField] = []
    let areRead = _forEachField(of: type) { _, offset, type, kind in
      fields.append(
        StoredField(
          offset: offset, type: type, isAggregate: kind == .struct || kind == .tuple,
          isEnum: kind == .enum))
      return true
    }
    return areRead ? fields.sorted { $0.offset < $1.offset } : nil
  #endif
}

/// A type as the field of a struct, which shows whether it is a struct, an enum or something else.
func asStoredField(_ type: Any.Type) -> StoredField? {
  func probe<T>(_ type: T.Type) -> StoredField? { storedFields(of: FieldProbe<T>.self)?.first }
  return _openExistential(type, do: probe)
}

private struct FieldProbe<T> {
  let field: T
}

/// Size and alignment of a type that is known only at run time.
func memoryLayout(of type: Any.Type) -> (size: Int, alignment: Int) {
  func layout<T>(_: T.Type) -> (size: Int, alignment: Int) {
    (MemoryLayout<T>.size, MemoryLayout<T>.alignment)
  }
  return _openExistential(type, do: layout)
}

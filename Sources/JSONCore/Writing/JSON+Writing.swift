extension JSON {
  /// The value as JSON text in the canonical form, its members in their own order.
  public func encoded() -> [UInt8] {
    var writer = JSONWriter()
    append(to: &writer)
    return writer.bytes()
  }

  /// Appends the value as JSON text in the canonical form.
  package func append(to writer: inout JSONWriter) {
    switch self {
    case .null: writer.writeNull()
    case .bool(let bool): writer.write(bool)
    case .number(let number): number.append(to: &writer)
    case .string(let string): writer.write(string)
    case .array(let array):
      writer.append(UInt8(ascii: "["))
      for element in array {
        element.append(to: &writer)
        writer.append(UInt8(ascii: ","))
      }
      writer.close(UInt8(ascii: "]"))
    case .object(let object):
      writer.append(UInt8(ascii: "{"))
      for (key, value) in object {
        writer.write(key)
        writer.append(UInt8(ascii: ":"))
        value.append(to: &writer)
        writer.append(UInt8(ascii: ","))
      }
      writer.close(UInt8(ascii: "}"))
    }
  }
}

extension JSON.Number {
  /// Appends the number as the canonical form writes it.
  func append(to writer: inout JSONWriter) {
    switch form {
    case .int(let int): writer.write(int)
    case .uint(let uint): writer.write(uint)
    case .double(let double): writer.write(double)
    case .decimal: writer.writeText(of: text)
    }
  }
}

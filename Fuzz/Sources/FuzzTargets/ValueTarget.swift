internal import JSONCore

extension FuzzTarget {
  /// A value from any bytes equals itself, does not change when written and read again, and agrees with
  /// its slices.
  static let value = FuzzTarget(name: "value") { bytes in
    guard let slice = try? JSONSlice(validating: bytes) else {
      promise((try? JSON(parsing: bytes)) == nil, "what the scanner refuses is not read")
      return
    }
    guard let value = try? JSON(parsing: bytes) else {
      return promise(false, "what the scanner accepts is read")
    }
    promise(value == slice.value, "a value is the same whichever way it is read")
    promise(value.hashValue == slice.value.hashValue, "equal values hash alike")
    let text = value.encoded()
    guard let again = try? JSON(parsing: text) else {
      return promise(false, "what is written is read")
    }
    promise(again == value, "reading what was written gives the same value")
    promise(again.encoded() == text, "a value is always written the same way")
    promise(again.fingerprint == value.fingerprint, "equal values have one fingerprint")
    promise(slice.fingerprint == value.fingerprint, "a slice has its value's fingerprint")
    check(value, slice)
  }

  private static func check(_ value: JSON, _ slice: JSONSlice) {
    switch value {
    case .null: promise(slice.isNull, "null is null")
    case .bool(let bool): promise(slice.bool == bool, "a Boolean is the same in a slice")
    case .number(let number):
      promise(JSON.Number(text: number.text) == number, "a number's text is the number")
      promise(JSON.Number(text: slice.text) == number, "a number has the value of its text")
      if let int = number.int {
        promise(JSON.Number(int) == number, "an integer is kept exact")
      }
    case .string(let string): promise(slice.string == string, "a string is the same in a slice")
    case .array(let array):
      let elements = Array(slice.elements)
      promise(elements.count == array.count, "an array has as many elements as its slice")
      for (element, slice) in zip(array, elements) { check(element, slice) }
    case .object(let object):
      let members = Array(slice.members)
      promise(members.count == object.count, "an object has as many members as its slice")
      for member in members {
        guard let value = object[member.key] else {
          return promise(false, "a member of the slice is a member of the object")
        }
        check(value, member.value)
      }
    }
  }
}

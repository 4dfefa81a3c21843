internal import JSONCore

extension FuzzTarget {
  /// The first line is a pointer, the rest a value. Parsing and following it never traps, and finds the
  /// same place in the tree and in the text.
  static let pointer = FuzzTarget(name: "pointer") { bytes in
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
    let text = String(decoding: line, as: UTF8.self)
    let pointer: Pointer
    do throws(PointerError) {
      pointer = try Pointer(text)
    } catch {
      promise((0...text.utf8.count).contains(error.offset), "an error's place is in the pointer")
      return
    }
    promise(
      pointer.description.utf8.elementsEqual(text.utf8), "a pointer is written as it was read")
    promise(pointer.parent.isPrefix(of: pointer), "a parent is a prefix")
    promise(
      pointer.isRoot || pointer.parent.appending(pointer.tokens.last ?? "") == pointer,
      "a parent and the last token make the pointer"
    )
    guard let slice = try? JSONSlice(validating: Array(bytes.dropFirst(line.count + 1))) else {
      return
    }
    promise(slice[pointer]?.value == slice.value[pointer], "both ways lead to the same place")
    follow(slice.value, slice, at: .root)
  }

  /// The pointer of each place in the value finds that place.
  private static func follow(_ root: JSON, _ slice: JSONSlice, at pointer: Pointer) {
    let again = try? Pointer(pointer.description)
    promise(again == pointer, "a pointer's text is the pointer")
    promise(root[pointer] == slice.value, "the pointer of a place leads there")
    for (index, element) in slice.elements.enumerated() {
      follow(root, element, at: pointer.appending(index))
    }
    for member in slice.members { follow(root, member.value, at: pointer.appending(member.key)) }
  }
}

internal import JSONCore
package import Timelines

// Safe: the run that holds the bytes lends them for the length of a call; the places in them are
// those of lines that were checked when they were stored, and nothing reads beyond the end.

/// Copies stored lines without full states, and with long values cut to `{"$cut":bytes}`.
///
/// A keyframe without patch keeps `"state":{"$cut":bytes}`: nothing else would distinguish it from
/// an entry whose state was not captured.
///
/// Ranges are copied from the line; nothing is decoded and encoded again.
struct LineCut {
  /// The bytes above which a value is cut.
  let limit: Int

  /// The factor by which an event or a patch may exceed that if only values inside are cut: enough
  /// to show what happened.
  private static let wholeFactor = 16

  /// The levels of an event whose members are kept while their values are cut: the event, its case,
  /// and the case's fields.
  private static let eventDepth = 3

  func cut(_ bytes: UnsafeBufferPointer<UInt8>, line: Range<Int>) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(min(line.count, 2 * limit))
    text.append(UInt8(ascii: "{"))
    var members = LineMembers(bytes, object: line)
    var state: LineMembers.Member?
    var hasPatch = false
    while let member = members.next() {
      let key = bytes.hasEscape(member.key) ? bytes.text(inside: member.key) : nil
      if isKey("outputState", key, bytes, member) { continue }
      if isKey("state", key, bytes, member) {
        state = member
        continue
      }
      hasPatch = hasPatch || isKey("patch", key, bytes, member)
      append(key: member.key, bytes, to: &text)
      if member.value.count <= limit {
        text.append(contentsOf: bytes[member.value])
      } else if isKey("event", key, bytes, member) {
        append(event: member.value, depth: Self.eventDepth, bytes, to: &text)
      } else if isKey("patch", key, bytes, member) || isKey("outputs", key, bytes, member) {
        append(patch: member.value, bytes, to: &text)
      } else {
        append(cut: member.value, to: &text)
      }
    }
    if let state, !hasPatch {
      append(key: state.key, bytes, to: &text)
      append(cut: state.value, to: &text)
    }
    text.append(UInt8(ascii: "}"))
    return text
  }

  private func isKey(
    _ name: StaticString, _ key: String?, _ bytes: UnsafeBufferPointer<UInt8>,
    _ member: LineMembers.Member
  ) -> Bool {
    key.map { $0 == name.description } ?? bytes.has(name, at: member.key)
  }

  /// Writes a comma if needed, the key, and the colon.
  private func append(
    key: Range<Int>, _ bytes: UnsafeBufferPointer<UInt8>, to text: inout [UInt8]
  ) {
    if text.last != UInt8(ascii: "{") { text.append(UInt8(ascii: ",")) }
    text.append(contentsOf: bytes[key.lowerBound - 1..<key.upperBound + 1])
    text.append(UInt8(ascii: ":"))
  }

  private func append(cut value: Range<Int>, to text: inout [UInt8]) {
    text.append(contentsOf: "{\"$cut\":\(value.count)}".utf8)
  }

  /// Writes an event, keeping its name.
  private func append(
    event value: Range<Int>, depth: Int, _ bytes: UnsafeBufferPointer<UInt8>,
    to text: inout [UInt8]
  ) {
    guard value.count > limit else { return text.append(contentsOf: bytes[value]) }
    guard depth > 0, bytes[value.lowerBound] == UInt8(ascii: "{") else {
      return append(cut: value, to: &text)
    }
    let start = text.count
    text.append(UInt8(ascii: "{"))
    var members = LineMembers(bytes, object: value)
    while let member = members.next() {
      append(key: member.key, bytes, to: &text)
      append(event: member.value, depth: depth - 1, bytes, to: &text)
      if text.count - start > Self.wholeFactor * limit {
        text.removeLast(text.count - start)
        return append(cut: value, to: &text)
      }
    }
    text.append(UInt8(ascii: "}"))
  }

  /// Writes a patch with the values of its operations cut.
  private func append(
    patch value: Range<Int>, _ bytes: UnsafeBufferPointer<UInt8>, to text: inout [UInt8]
  ) {
    let start = text.count
    text.append(UInt8(ascii: "["))
    var elements = LineElements(bytes, array: value)
    while let element = elements.next() {
      if text.last != UInt8(ascii: "[") { text.append(UInt8(ascii: ",")) }
      text.append(UInt8(ascii: "{"))
      var members = LineMembers(bytes, object: element)
      while let member = members.next() {
        append(key: member.key, bytes, to: &text)
        if member.value.count > limit {
          append(cut: member.value, to: &text)
        } else {
          text.append(contentsOf: bytes[member.value])
        }
      }
      text.append(UInt8(ascii: "}"))
      if text.count - start > Self.wholeFactor * limit {
        text.removeLast(text.count - start)
        return append(cut: value, to: &text)
      }
    }
    text.append(UInt8(ascii: "]"))
  }
}

extension Entry {
  /// The line as a window of entries shows it: without full states, long values cut.
  package func shown(cutBytes: Int) -> [UInt8] {
    let line = Array(line.bytes)
    return line.withUnsafeBufferPointer {
      LineCut(limit: cutBytes).cut($0, line: 0..<$0.count)
    }
  }
}

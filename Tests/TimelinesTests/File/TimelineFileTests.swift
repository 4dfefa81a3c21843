import Foundation
import JSONCore
import TestSupport
import Testing

@testable import Timelines

@Suite("A timeline file")
struct TimelineFileTests {
  private static let header = sampleHeaderLine
  private static let zero = #"{"seq":0,"t":5,"state":{"n":0}}"#
  private static let one =
    #"{"seq":1,"t":5,"event":"é","patch":[{"op":"replace","path":"/n","value":1}]}"#
  private static let two = #"{"seq":2,"t":6,"event":"x","state":{"n":2},"patch":[]}"#

  private static func file(_ lines: String...) -> [UInt8] {
    Array(lines.map { $0 + "\n" }.joined().utf8)
  }

  private func error(_ bytes: [UInt8], lineLimit: Int = 1 << 20) -> TimelineFileError? {
    do {
      _ = try TimelineFile.read(bytes, lineLimit: lineLimit)
      return nil
    } catch {
      return error
    }
  }

  @Test("truncated at any byte has its complete lines, and a torn tail")
  func tornAnywhere() throws {
    let url = repositoryRoot.appending(path: "Tests/Fixtures/timelines/every-shape.timeline")
    let file = try [UInt8](Data(contentsOf: url))
    let headerEnd = try #require(file.firstIndex(of: 0x0A))
    for count in 0..<file.count {
      let cut = file[..<count]
      guard count >= headerEnd else {
        let expected: TimelineFileError.Reason = count == 0 ? .empty : .tornHeader
        #expect(error(Array(cut)) == TimelineFileError(expected, line: 1, at: 0), "at \(count)")
        continue
      }
      let contents = try TimelineFile.read(cut)
      // A line is whole when only its line feed is missing.
      let isWhole = file[count] == 0x0A
      let ends = cut.count { $0 == 0x0A }
      let entries = max(0, ends - 1) + (isWhole && count > headerEnd ? 1 : 0)
      #expect(contents.timeline.entries.count == entries, "at \(count)")
      let lineStart = (cut.lastIndex(of: 0x0A) ?? -1) + 1
      let torn =
        isWhole || lineStart == count
        ? nil : TornTail(bytes: count - lineStart, line: ends + 1, offset: lineStart)
      #expect(contents.torn == torn, "at \(count)")
    }
  }

  @Test("is the same in pieces of any size", arguments: [1, 2, 7, 64, 4096])
  func pieces(size: Int) throws {
    let file = Self.file(Self.header, Self.zero, Self.one, Self.two)
    var reader = TimelineFileReader()
    var header: Header?
    var places: [[Int]] = []
    func add(_ item: TimelineFileReader.Item) {
      switch item {
      case .header(let found): header = found
      case .entry(let entry, let line, let offset): places.append([Int(entry.seq), line, offset])
      }
    }
    for start in stride(from: 0, to: file.count, by: size) {
      try reader.read(file[start..<min(start + size, file.count)], add)
    }
    #expect(try reader.finish(add) == nil)
    #expect(header?.timeline.text == sampleID)
    let first = Self.header.utf8.count + 1
    let second = first + Self.zero.utf8.count + 1
    #expect(
      places == [[0, 2, first], [1, 3, second], [2, 4, second + Self.one.utf8.count + 1]])
  }

  @Test("may end its lines with carriage return and line feed, which change no entry")
  func carriageReturns() throws {
    let bytes = Array(
      [Self.header, Self.zero, Self.one].map { $0 + "\r\n" }.joined().utf8)
    let timeline = try TimelineFile.read(bytes).timeline
    #expect(TimelineFile.bytes(of: timeline) == Self.file(Self.header, Self.zero, Self.one))
    #expect(try TimelineFile.read(bytes.dropLast()).timeline.entries.count == 2)
    #expect(try TimelineFile.read(bytes.dropLast()).torn == nil)
  }

  @Test("may have no entries")
  func onlyHeader() throws {
    let contents = try TimelineFile.read(Self.file(Self.header))
    #expect(contents.timeline.entries.isEmpty && contents.torn == nil)
    #expect(contents.timeline.firstSeq == nil && contents.timeline.moment(at: 0) == nil)
  }

  @Test("is refused with line and byte, for what it begins with")
  func refusedBeginning() {
    let first = { (reason: TimelineFileError.Reason) in TimelineFileError(reason, line: 1, at: 0) }
    #expect(error([]) == first(.empty))
    #expect(error([0xEF, 0xBB, 0xBF] + Self.file(Self.header)) == first(.byteOrderMark))
    #expect(error([0xEF, 0xBB, 0xBF]) == first(.byteOrderMark))
    #expect(error([0xFF, 0xFE, 0x7B, 0, 0x0A, 0]) == first(.byteOrderMark))
    #expect(error([0x28, 0xB5, 0x2F, 0xFD, 0, 0x0A]) == first(.compressed))
    #expect(error([0x28, 0xB5, 0x2F, 0xFD, 0]) == first(.compressed))
    #expect(error([0x1F, 0x8B, 8, 0, 0x0A]) == first(.gzip))
    #expect(error([0x1F, 0x8B]) == first(.gzip))
    #expect(error(Self.file("", Self.header)) == first(.blank))
    #expect(
      error(Self.file(Self.zero)) == first(.header(HeaderError(.missing, key: "format", at: 0))))
    #expect(
      error(Self.file("{")) == first(.header(HeaderError(.json(.truncated), at: 1))))
    #expect(
      error(Self.file(Self.header.replacing(#""format":1"#, with: #""format":2"#)))?.reason
        == .header(HeaderError(.newerFormat(2), key: "format", at: Self.header.utf8.count - 2)))
    #expect(error(Self.file(Self.header), lineLimit: 10) == first(.tooLong(limit: 10)))
  }

  @Test("is refused with line and byte, for a line in the middle")
  func refusedMiddle() {
    let offset = Self.header.utf8.count + Self.zero.utf8.count + 2
    let third = { (reason: TimelineFileError.Reason) in
      TimelineFileError(reason, line: 3, at: offset)
    }
    let cases: [(String, TimelineFileError)] = [
      ("", third(.blank)), (" \t\r", third(.blank)), (Self.header, third(.secondHeader)),
      ("{\"seq\":1", third(.entry(EntryError(.json(.truncated), at: 8)))),
      ("{\"seq\":1}", third(.entry(EntryError(.missing, key: "t", seq: 1, at: 0)))),
      (Self.zero, third(.order(TimelineError(.notAfter(last: 0), at: 0)))),
      (Self.two, third(.order(TimelineError(.skips(expected: 1), at: 2)))),
      ("\u{0}\u{0}", third(.entry(EntryError(.json(.unexpected(0, expected: "a value")), at: 0)))),
      (
        "{\"seq\":1,\r\"t\":5,\"event\":1}", third(.entry(EntryError(.lineBreak, at: 9)))
      ),
    ]
    for (line, expected) in cases {
      #expect(error(Self.file(Self.header, Self.zero, line, Self.two)) == expected, "\(line)")
    }
    let long = #"{"seq":1,"t":5,"event":"\#(String(repeating: "x", count: 300))"}"#
    #expect(
      error(Self.file(Self.header, Self.zero, long, Self.two), lineLimit: 300)
        == third(.tooLong(limit: 300)))
    #expect(
      "\(third(.blank))" == "line 3 (byte \(offset)): the line is blank")
  }

  @Test("keeps a whole last line without its end, but not a wrong one")
  func noLastLineFeed() throws {
    let whole = Array(Self.file(Self.header, Self.zero, Self.one).dropLast())
    #expect(try TimelineFile.read(whole).timeline.lastSeq == 1)
    let wrong = Self.file(Self.header, Self.zero) + Array(#"{"seq":1}"#.utf8)
    #expect(error(wrong)?.line == 3)
    // The remains of a power failure are not a line, whatever their length.
    let zeros = Self.file(Self.header, Self.zero) + [UInt8](repeating: 0, count: 5000)
    let contents = try TimelineFile.read(zeros)
    #expect(contents.timeline.lastSeq == 0)
    #expect(contents.torn?.bytes == 5000)
  }

  @Test("hands on nothing more after an error, and holds no more than a line")
  func stops() throws {
    var reader = TimelineFileReader(lineLimit: 200)
    var count = 0
    try reader.read(Self.file(Self.header, Self.zero)) { _ in count += 1 }
    let piece = [UInt8](repeating: 0x20, count: 150)
    try reader.read(piece) { _ in count += 1 }
    let error = #expect(throws: TimelineFileError.self) {
      try reader.read(piece) { _ in count += 1 }
    }
    #expect(error?.reason == .tooLong(limit: 200))
    try reader.read(Self.file(Self.one)) { _ in count += 1 }
    #expect(try reader.finish { _ in count += 1 } == nil)
    #expect(count == 2)
  }

  @Test("is read no further than to the first entry that cannot follow")
  func stopsAtWrongOrder() throws {
    // Later lines are not read, so the line that is too long is not reported.
    let long = String(repeating: "x", count: 500)
    let file = Self.file(Self.header, Self.zero, Self.two, long)
    #expect(error(file, lineLimit: 300)?.line == 3)
    var reader = TimelineFileReader()
    let refused = TimelineFileError(.blank, line: 0, at: 0)
    var count = 0
    func refuse(_ item: TimelineFileReader.Item) throws(TimelineFileError) {
      count += 1
      if count == 2 { throw refused }
    }
    #expect(throws: refused) {
      try reader.read(Self.file(Self.header, Self.zero, Self.one), refuse)
    }
    #expect(try reader.finish(refuse) == nil)
    #expect(count == 2)
  }

  @Test("is written as the lines it was read from")
  func written() throws {
    let file = Self.file(Self.header, Self.zero, Self.one, Self.two)
    let timeline = try TimelineFile.read(file).timeline
    #expect(TimelineFile.bytes(of: timeline) == file)
    var writer = TimelineFileWriter(timeline.header)
    var parts = [writer.removeLines()]
    for entry in timeline.entries {
      writer.append(EntryDraft(entry))
      parts.append(writer.removeLines())
    }
    #expect(parts.count == 4)
    #expect(writer.bytes.isEmpty)
    #expect(parts.flatMap(\.self) == file)
  }
}

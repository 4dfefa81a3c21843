import Testing
import Wire

@testable import DebugServer

@Suite("A transfer's place")
struct CopyCursorTests {
  private static func chunk(
    _ first: Int64, _ last: Int64, size: Int64? = nil, offset: Int64? = nil, data: String = "AAAA"
  ) -> CopiedChunk {
    CopiedChunk {
      $0.first = first
      $0.last = last
      $0.size = size
      $0.offset = offset
      $0.data = data
    }
  }

  @Test("advances over chunks, and over the parts of one")
  func advances() throws {
    var cursor = CopyCursor(after: 4)
    #expect(try cursor.advance(over: [Self.chunk(5, 9), Self.chunk(12, 13)]))
    #expect(cursor.after == 13)
    #expect(try cursor.advance(over: [Self.chunk(14, 20, size: 5)]))
    #expect(cursor.after == 13 && cursor.part?.offset == 3)
    #expect(try cursor.advance(over: [Self.chunk(14, 20, size: 5, offset: 3, data: "AAA=")]))
    #expect(cursor.after == 20 && cursor.part == nil)
  }

  @Test("begins a chunk again that was sealed in between, but not forever")
  func restarts() throws {
    var cursor = CopyCursor(after: nil)
    var turns = 0
    let error = #expect(throws: BackendError.self) {
      while true {
        turns += 1
        _ = try cursor.advance(over: [Self.chunk(0, 2, size: 9)])
        #expect(try !cursor.advance(over: [Self.chunk(0, 4)]))
        #expect(cursor.after == nil && cursor.part == nil)
      }
    }
    #expect(error?.description.contains("changes with each part") == true)
    #expect(turns == 9)
  }

  @Test("refuses chunks of a source that would never end")
  func hostile() {
    for chunks in [
      [Self.chunk(4, 4)], [Self.chunk(6, 5)], [Self.chunk(5, 9), Self.chunk(9, 10)],
      [Self.chunk(5, 9, size: 9, data: "")], [Self.chunk(5, 9, size: 2)],
      [Self.chunk(5, 9, size: .max, offset: .max), Self.chunk(10, 11)],
    ] {
      var cursor = CopyCursor(after: 4)
      #expect((try? cursor.advance(over: chunks)) != true, "\(chunks)")
      #expect(cursor.after == 4)
    }
  }
}

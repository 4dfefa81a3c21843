import Testing
import WebSockets

@Suite("the C library that moves the bytes")
struct TransportLibraryTests {
  @Test("tells its version")
  func version() {
    #expect(TransportLibrary.version.first?.isNumber == true)
  }
}

import Testing
import WebSockets

@Suite("The C library")
struct TransportLibraryTests {
  @Test("reports its version")
  func version() {
    #expect(TransportLibrary.version.first?.isNumber == true)
  }
}

import Recorder
import Testing

@Suite("Recording")
struct RecordingTests {
  @Test("has a transport on Linux, unless the package trait is off")
  func transport() {
    #if os(Linux)
      #expect(Recording.transport?.hasPrefix("libwebsockets ") == true)
    #else
      #expect(Recording.transport == nil)
    #endif
  }
}

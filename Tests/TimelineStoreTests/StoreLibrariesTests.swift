import Testing
import TimelineStore

@Suite("the C libraries that keep and pack timelines")
struct StoreLibrariesTests {
  @Test("tell their versions")
  func versions() {
    #expect(StoreLibraries.sqlite.hasPrefix("3."))
    #expect(StoreLibraries.zstd.hasPrefix("1."))
  }
}

import Testing

@testable import DebugServer

@Suite("Without a daemon")
struct AbsenceTests {
  @Test("a command reports where it looked, and starts the daemon of that place")
  func daemon() {
    var configuration = ServerConfiguration(data: "/srv/data")
    configuration.start = "debugd serve --data /srv/data"
    #expect(
      configuration.noDaemon
        == """
        No daemon answers at /srv/data/run/recorder.sock. To fix, start one: debugd serve --data \
        /srv/data
        """)
    configuration.socket = nil
    #expect(
      configuration.noDaemon
        == "No daemon is running. To fix, start one: debugd serve --data /srv/data")
  }

  @Test("a folder that the user named is most likely misspelled")
  func data() {
    var configuration = ServerConfiguration(data: "/srv/dta")
    #expect(
      configuration.noData
        == """
        There is no recorded data in /srv/dta, and no daemon is running there. To fix, start one: \
        debugd serve
        """)
    configuration.isDataNamed = true
    #expect(configuration.noData.hasSuffix("the folder that your daemon uses: --data FOLDER"))
  }

  @Test("recorders get the address of a socket that they would not find")
  func socket() {
    var configuration = ServerConfiguration(data: "/srv/my data")
    #expect(
      configuration.recorderAdvice("/run/s") == "Recorders on this machine connect to /run/s.")
    configuration.isSocketStandard = false
    #expect(
      configuration.recorderAdvice("/srv/my data/s")
        == """
        Recorders connect to /srv/my data/s. To record into this daemon, start your program with \
        DEBUGD='unix:/srv/my data/s'
        """)
  }

  @Test("a missing page is a warning where there is a port")
  func page() {
    var configuration = ServerConfiguration(data: "/srv/data")
    #expect(
      configuration.pageProblem { _ in true }?.hasPrefix("No inspector page was found") == true)
    configuration.web = "/srv/web"
    #expect(
      configuration.pageProblem { _ in false }
        == """
        The folder /srv/web has no index.html, so there is no inspector page. To fix, pass the folder \
        'web' of Stateline's source: --web FOLDER
        """)
    #expect(configuration.pageProblem { $0 == "/srv/web/index.html" } == nil)
    configuration.places = []
    #expect(configuration.pageProblem { _ in false } == nil)
  }
}

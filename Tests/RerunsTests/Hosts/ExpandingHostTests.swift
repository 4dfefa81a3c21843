import JSONCore
import RerunsSupport
import Testing
import Timelines
import Wire

@testable import Reruns

@Suite("Hosts: an executable that is searched", .serialized)
struct ExpandingHostTests {
  private static let events = [HostWorld.add, #"{"added":{"_0":3}}"#, #"{"printed":{"_0":"x"}}"#]

  /// A request that sends events to the state after the first of ``events``.
  private static func request(_ sent: [String]) throws -> ToRecorder.Reduce {
    var request = try HostWorld.request([])
    let events = try ([HostWorld.add] + sent).map { try JSONSlice(validating: Array($0.utf8)) }
    request.expand = ToRecorder.Expansion {
      $0.search = "a search"
      $0.events = events
      $0.origins = [
        ToRecorder.ExpansionOrigin {
          $0.path = [0]
          $0.sent = sent.indices.map { Int64($0) + 1 }
        }
      ]
    }
    return request
  }

  private static func host() -> ExecutableHost {
    ExecutableHost(HostWorld.spec(), named: "Probe", settings: HostSettings(), environment: [:])
  }

  @Test("answers with the states that steps lead to")
  func states() async throws {
    let host = Self.host()
    #expect(await host.expands())
    let answer = try await host.collect(try Self.request(Self.events))
    let origin = try #require(answer.expanded.first)
    #expect(origin.changed == [0, 1])
    #expect(origin.reached.utf8.count == 32)
    for state in origin.states {
      let steps = try await host.run([HostWorld.add, Self.events[Int(state.sent)]])
      #expect(state.state.value["total"] == steps.entries.last?["patch"]?[0]?["value"])
    }
    #expect(origin.states.map { $0.state.value["total"] } == [4, 5])
    // A search that continues gets no state twice.
    let again = try await host.collect(try Self.request(Self.events))
    #expect(again.expanded.first?.changed == [0, 1])
    #expect(again.expanded.first?.states.isEmpty == true)
  }

  @Test(
    "that an event ends says so, and the next request runs",
    arguments: [#"{"trapped":{}}"#, #"{"overflowed":{}}"#, #"{"exited":{}}"#])
  func ends(event: String) async throws {
    let host = Self.host()
    let answer = try await host.collect(try Self.request([HostWorld.add, event]))
    #expect(answer.expanded.isEmpty)
    #expect(answer.ended?.why == .trap)
    let next = try await host.collect(try Self.request(Self.events))
    #expect(next.expanded.first?.states.count == 2)
  }
}

package import Timelines

/// Nobody who runs reducers.
package struct NoHosts: ReducerHosts {
  /// Nobody.
  package init() {}

  package func host(for header: Header, named name: String?) async throws -> any ReducerHosting {
    throw refusal
  }

  package func freshHost(
    for header: Header, named name: String?, environment: [String: String]
  ) async throws -> any ReducerHosting {
    throw refusal
  }

  private var refusal: Refusal {
    Refusal(
      .noHost,
      "Nothing runs this machine's reducer. To fix, start a daemon with a host: debugd serve --host")
  }
}

internal import Timelines
internal import WebSockets

extension Server {
  /// Serves the metrics at an address; returns where they are.
  func listenForMetrics(
    _ loop: Loop, _ daemon: Daemon, _ current: CurrentSettings,
    on place: ServerConfiguration.Place, besides places: [ServerConfiguration.Place]
  ) async throws -> String {
    // The system would let both listen, as they are of one process, and divide the connections.
    if places.contains(where: place.overlaps) {
      throw ServerError(.listen(Self.ownPlace(place)))
    }
    var options = ListenerOptions()
    options.headers = ResponseHeaders.all
    // A few monitors, each with a connection that it keeps.
    options.maxConnections = 16
    // A monitor on the same machine needs no certificate, as no one else can listen.
    if !place.isLoopback {
      options.identity = configuration.identity.map {
        ServerIdentity(certificatePath: $0.certificate, keyPath: $0.key)
      }
    }
    let address = ListenAddress.tcp(host: place.host, port: place.port)
    let port: Int
    do {
      port = try await loop.run { [options] loop in
        let handler = MetricsHandler(daemon, settings: current)
        let listener = try loop.listen(on: address, handler: handler, options: options)
        handler.address = (listener.port, options.identity != nil)
        return listener.port
      }
    } catch {
      throw ServerError(.listen(Self.metricsProblem(error, on: place)))
    }
    let shown = ServerConfiguration.Place(host: place.host, port: port)
    let page = "\(options.identity == nil ? "http" : "https")://\(shown)/metrics"
    configuration.log.write(
      LogEvent(.info, "metrics", "The metrics are at \(page).", ["address": page]))
    return page
  }

  private static func ownPlace(_ place: ServerConfiguration.Place) -> String {
    let free = ServerConfiguration.Place(host: place.host, port: 0)
    return """
      The daemon itself listens on \(place). To fix, serve the metrics on another port: \
      --metrics \(free)
      """
  }

  /// Why the metrics cannot be served, with what to do.
  private static func metricsProblem(
    _ error: any Error, on place: ServerConfiguration.Place
  ) -> String {
    guard case TransportError.addressInUse(let name) = error else {
      return ServerConfiguration.sentence(error)
    }
    let free = ServerConfiguration.Place(host: place.host, port: 0)
    return """
      \(name) is in use by another program. To fix, stop that program, or serve the metrics on a \
      free port: --metrics \(free)
      """
  }
}

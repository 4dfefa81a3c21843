/// An error of a loop, a listener, or a folder.
package enum TransportError: Error, Equatable, CustomStringConvertible {
  /// The library or the system could not start a loop.
  case loopNotStarted(String)
  /// The loop cannot listen on the address.
  case cannotListen(address: String, reason: String)
  /// Another process listens on the address.
  case addressInUse(String)
  /// The folder does not exist, or cannot be read.
  case noFolder(path: String, reason: String)
  /// The loop has been stopped.
  case stopped

  package var description: String {
    switch self {
    case .loopNotStarted(let reason):
      "the network loop could not be started: \(reason)"
    case .cannotListen(let address, let reason):
      "cannot listen on \(address): \(reason)"
    case .addressInUse(let address):
      "\(address) is in use by another program."
    case .noFolder(let path, let reason):
      "the folder \(path) cannot be read: \(reason)"
    case .stopped:
      "the network loop has been stopped"
    }
  }
}

/// Why a loop, a listener or a file could not be had.
package enum TransportError: Error, Equatable, CustomStringConvertible {
  /// The library or the system refused to make what a loop needs.
  case loopNotStarted(String)
  /// The address cannot be listened on; the sentence says why.
  case cannotListen(address: String, reason: String)
  /// Somebody answers on that address already.
  case addressInUse(String)
  /// There is no such folder of files, or it may not be read.
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
      """
      \(address) is in use by another program. \
      To fix, stop that program or choose another address.
      """
    case .noFolder(let path, let reason):
      "the folder \(path) cannot be read: \(reason)"
    case .stopped:
      "the network loop has been stopped"
    }
  }
}

/// An error of a loop, a listener, or a folder.
package enum TransportError: Error, Equatable, CustomStringConvertible {
  /// The library or the system could not start a loop.
  case loopNotStarted(String, code: Int32? = nil)
  /// The loop cannot listen on the address.
  case cannotListen(address: String, reason: String, code: Int32? = nil)
  /// A file that the listener needs cannot be read.
  case cannotRead(path: String, address: String, code: Int32)
  /// Another process listens on the address.
  case addressInUse(String)
  /// The folder does not exist, or cannot be read.
  case noFolder(path: String, reason: String, code: Int32? = nil)
  /// The loop has been stopped.
  case stopped

  /// The system's error number, if there is one: this module knows no advice, and its caller does.
  package var systemCode: Int32? {
    switch self {
    case .loopNotStarted(_, let code), .cannotListen(_, _, let code), .noFolder(_, _, let code):
      code
    case .cannotRead(_, _, let code): code
    case .addressInUse, .stopped: nil
    }
  }

  package var description: String {
    switch self {
    case .loopNotStarted(let reason, _):
      "the network loop could not be started: \(reason)"
    case .cannotListen(let address, let reason, _):
      "cannot listen on \(address): \(reason)"
    case .cannotRead(let path, let address, let code):
      "cannot listen on \(address): \(path) cannot be read: \(ErrorText.of(code))"
    case .addressInUse(let address):
      "\(address) is in use by another program."
    case .noFolder(let path, let reason, _):
      "the folder \(path) cannot be read: \(reason)"
    case .stopped:
      "the network loop has been stopped"
    }
  }
}

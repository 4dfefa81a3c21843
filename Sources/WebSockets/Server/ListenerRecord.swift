internal import CLibWebsockets

/// A listener as the loop keeps it.
final class ListenerRecord {
  let number: UInt32
  let address: ListenAddress
  let options: ListenerOptions
  let handler: any ServerHandler
  /// How many connections there are, by peer.
  var counts: [PeerKey: Int] = [:]
  private let table: ProtocolTable
  /// Taken away with the listener, when it is ours.
  private let socketPath: String?

  init(
    number: UInt32, address: ListenAddress, options: ListenerOptions,
    handler: any ServerHandler, table: ProtocolTable, socketPath: String?
  ) {
    self.number = number
    self.address = address
    self.options = options
    self.handler = handler
    self.table = table
    self.socketPath = socketPath
  }

  /// All its connections.
  var count: Int { counts.values.reduce(0, +) }

  /// Gives everything back, when the context is gone.
  func free() {
    table.free()
    if let socketPath { UnixSocketFile.remove(socketPath) }
  }
}

/// What makes two peers the same for the limits.
enum PeerKey: Hashable {
  case address(String)
  case user(UInt32)
  case unknown

  init(_ peer: Peer) {
    switch peer {
    case .tcp(let address, _): self = .address(address)
    case .unix(let user, _): self = .user(user)
    case .unknown: self = .unknown
    }
  }
}

/// The list of subprotocols that the library wants to keep.
///
/// Safe: only the loop touches it; the memory stays until the context is gone.
struct ProtocolTable {
  /// What the library is given.
  let memory: UnsafeMutablePointer<lws_protocols>
  private let names: [UnsafeMutablePointer<CChar>?]

  /// The default first, then the named ones; the end is marked by an empty one.
  ///
  /// - Parameter number: Which listener it belongs to; 0 for clients.
  init(_ subprotocols: [String], number: UInt32, readBytes: Int) {
    // The first one's name is never sent: it stands for sessions without a subprotocol.
    names = (["-"] + subprotocols).map { strdupText($0) }
    memory = .allocate(capacity: names.count + 1)
    memory.initialize(repeating: lws_protocols(), count: names.count + 1)
    for (index, name) in names.enumerated() {
      memory[index].name = UnsafePointer(name)
      memory[index].callback = transportCallback
      memory[index].rx_buffer_size = readBytes
      memory[index].id = number
    }
  }

  /// Gives the memory back.
  func free() {
    for name in names { name?.deallocate() }
    memory.deinitialize(count: names.count + 1)
    memory.deallocate()
  }
}

/// A C text that is kept until it is deallocated.
private func strdupText(_ text: String) -> UnsafeMutablePointer<CChar> {
  let bytes = text.utf8CString
  let memory = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
  // Safe: as long as the memory, counted by the same array.
  for (index, byte) in bytes.enumerated() { (memory + index).initialize(to: byte) }
  return memory
}

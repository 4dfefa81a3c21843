internal import CLibWebsockets

/// The memory that a vhost of the library uses during its lifetime: subprotocols and texts.
///
/// Safe: only the loop uses it; the memory stays valid until the context is destroyed.
struct HostTexts {
  /// The subprotocols: the default, the named ones, and an empty one as the end.
  let protocols: UnsafeMutablePointer<lws_protocols>
  private let count: Int
  private var texts: [UnsafeMutablePointer<CChar>] = []
  private var headers: [UnsafeMutablePointer<lws_protocol_vhost_options>] = []

  /// - Parameter number: The number of its listener; 0 for clients.
  init(_ subprotocols: [String], number: UInt32, readBytes: Int) {
    count = subprotocols.count + 2
    protocols = .allocate(capacity: count)
    protocols.initialize(repeating: lws_protocols(), count: count)
    // The first name is never sent; it means a session without a subprotocol.
    for (index, name) in (["-"] + subprotocols).enumerated() {
      protocols[index].name = keep(name)
      protocols[index].callback = transportCallback
      protocols[index].rx_buffer_size = readBytes
      // Unused, but without user data the library does not report the start of closing.
      protocols[index].per_session_data_size = 1
      protocols[index].id = number
    }
  }

  /// Copies a text into memory of this value; `nil` stays `nil`.
  mutating func keep(_ text: String?) -> UnsafePointer<CChar>? {
    guard let text else { return nil }
    let characters = text.utf8CString
    let memory = UnsafeMutablePointer<CChar>.allocate(capacity: characters.count)
    // Safe: the memory is as long as the array that is copied into it.
    for (index, character) in characters.enumerated() {
      (memory + index).initialize(to: character)
    }
    texts.append(memory)
    return UnsafePointer(memory)
  }

  /// Copies headers for the library's own responses into memory of this value.
  mutating func keep(
    _ headers: [(name: String, value: String)]
  ) -> UnsafePointer<lws_protocol_vhost_options>? {
    var next: UnsafePointer<lws_protocol_vhost_options>?
    for (name, value) in headers.reversed() {
      var header = lws_protocol_vhost_options()
      // The library writes the name verbatim, so it includes the colon.
      header.name = keep(name.lowercased() + ":")
      header.value = keep(value)
      header.next = next
      let memory = UnsafeMutablePointer<lws_protocol_vhost_options>.allocate(capacity: 1)
      memory.initialize(to: header)
      self.headers.append(memory)
      next = UnsafePointer(memory)
    }
    return next
  }

  /// Frees the memory, after the context is destroyed.
  func free() {
    for text in texts { text.deallocate() }
    for header in headers { header.deallocate() }
    protocols.deinitialize(count: count)
    protocols.deallocate()
  }
}

internal import CLibWebsockets

/// A connection of the library. Never leaves the module.
///
/// Safe: `@unchecked` because only the loop's thread uses it, which is also the thread of the
/// library's callbacks.
struct ConnectionHandle: @unchecked Sendable, Equatable {
  let pointer: OpaquePointer
}

extension ConnectionHandle {
  /// The number of our connection; 0 for other connections.
  var id: UInt64 {
    UInt64(UInt(bitPattern: lws_get_opaque_user_data(pointer)))
  }

  /// Sets the number of our connection. It is a number, so that a late callback finds nothing instead
  /// of freed memory.
  func setID(_ id: UInt64) {
    lws_set_opaque_user_data(pointer, UnsafeMutableRawPointer(bitPattern: UInt(id)))
  }

  /// Requests a turn to write.
  func requestTurn() {
    lws_callback_on_writable(pointer)
  }

  /// Ends the connection soon, without a close frame.
  func kill() {
    shim_kill_soon(pointer)
  }

  var descriptor: Int32 { lws_get_socket_fd(pointer) }
}

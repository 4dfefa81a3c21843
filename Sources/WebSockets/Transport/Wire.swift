internal import CLibWebsockets

/// One connection of the library, as it may be kept on the loop. Never leaves the module.
///
/// Safe: `@unchecked` because it is read and passed on only by the loop's own thread, which is the
/// one that the library calls back on and that ends the connection.
struct Wire: @unchecked Sendable, Equatable {
  /// The library's handle.
  let pointer: OpaquePointer
}

extension Wire {
  /// Which of our connections this is; 0 for one that is not.
  var id: UInt64 {
    UInt64(UInt(bitPattern: lws_get_opaque_user_data(pointer)))
  }

  /// Says which of our connections this is. A number and not an object, so that a callback that
  /// comes late finds nothing instead of memory that has been freed.
  func name(_ id: UInt64) {
    lws_set_opaque_user_data(pointer, UnsafeMutableRawPointer(bitPattern: UInt(id)))
  }

  /// Asks for a turn to write.
  func requestTurn() {
    lws_callback_on_writable(pointer)
  }

  /// Ends the connection soon, without words.
  func kill() {
    shim_kill_soon(pointer)
  }

  /// The socket's descriptor.
  var descriptor: Int32 { lws_get_socket_fd(pointer) }
}

internal import CLibWebsockets

/// The library's callback.
///
/// A free function, because a closure at the top level of a program would belong to the main actor,
/// and trap on the loop's thread.
func transportCallback(
  _ handle: OpaquePointer?, _ reason: lws_callback_reasons, _ user: UnsafeMutableRawPointer?,
  _ data: UnsafeMutableRawPointer?, _ count: Int
) -> Int32 {
  // The handle may have been freed; see OutgoingCall. Nothing is missed, because outgoing
  // connections are registered before they begin.
  if reason == LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED, OutgoingCall.isUnderWay { return 0 }
  guard let event = CallbackEvent(reason), let handle, let context = lws_get_context(handle),
    let owner = lws_context_user(context)
  else { return 0 }
  let call = TransportCall(
    event: event, handle: ConnectionHandle(pointer: handle),
    bytes: UnsafeRawBufferPointer(start: data, count: count))
  // Safe: the loop's thread retains the loop until the context is destroyed, and the library calls
  // back only on that thread.
  let loop = Unmanaged<Loop>.fromOpaque(owner).takeUnretainedValue()
  return loop.assumeIsolated { $0.handle(call) }
}

/// One callback of the library.
///
/// Safe: `@unchecked` because it is only used during the callback, on the loop's thread.
struct TransportCall: @unchecked Sendable {
  let event: CallbackEvent
  let handle: ConnectionHandle
  /// The event's data, valid during the callback.
  let bytes: UnsafeRawBufferPointer
}

/// Return values of the callback.
enum TransportAnswer {
  static let proceed: Int32 = 0
  /// End the connection.
  static let end: Int32 = -1
  /// The response is complete; begin the next exchange.
  static let answered: Int32 = 1
}

internal import CZstd

/// Compresses and decompresses whole blobs, for one thread.
final class Zstd {
  /// Safe: made in `init`, freed in `deinit`, used by one thread at a time.
  private let packing: OpaquePointer
  private let unpacking: OpaquePointer

  init?() {
    guard let packing = ZSTD_createCCtx(), let unpacking = ZSTD_createDCtx() else { return nil }
    self.packing = packing
    self.unpacking = unpacking
    ZSTD_CCtx_setParameter(packing, ZSTD_c_checksumFlag, 1)
  }

  deinit {
    ZSTD_freeCCtx(packing)
    ZSTD_freeDCtx(unpacking)
  }

  /// A frame with its size and a checksum; `nil` if there is no memory.
  func pack(_ bytes: [UInt8], level: Int32) -> [UInt8]? {
    ZSTD_CCtx_setParameter(packing, ZSTD_c_compressionLevel, level)
    let bound = ZSTD_compressBound(bytes.count)
    var isDone = false
    let packed = [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
      let size = bytes.withUnsafeBytes {
        ZSTD_compress2(packing, buffer.baseAddress, bound, $0.baseAddress, $0.count)
      }
      isDone = ZSTD_isError(size) == 0
      count = isDone ? size : 0
    }
    return isDone ? packed : nil
  }

  /// Whether the bytes are exactly one frame, and it has a checksum.
  func isOneFrameWithChecksum(_ packed: UnsafeRawBufferPointer) -> Bool {
    // The magic number has four bytes; bit 2 of the next one is the checksum's.
    guard packed.count > 4, packed[4] & 0x04 != 0 else { return false }
    return ZSTD_findFrameCompressedSize(packed.baseAddress, packed.count) == packed.count
  }

  /// The content of a frame, which must have that size and the right checksum; otherwise `nil`.
  func unpack(_ packed: UnsafeRawBufferPointer, count expected: Int) -> [UInt8]? {
    // A frame states its own size: a damaged row must not make us allocate memory for nothing.
    guard expected >= 0,
      ZSTD_getFrameContentSize(packed.baseAddress, packed.count) == UInt64(expected)
    else { return nil }
    var isDone = false
    let bytes = [UInt8](unsafeUninitializedCapacity: expected) { buffer, count in
      let size = ZSTD_decompressDCtx(
        unpacking, buffer.baseAddress, expected, packed.baseAddress, packed.count)
      isDone = ZSTD_isError(size) == 0 && size == expected
      count = isDone ? expected : 0
    }
    return isDone ? bytes : nil
  }
}

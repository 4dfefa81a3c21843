import CZstd

/// Compresses a stream into one zstd frame.
package final class PackingStream {
  /// Safe: made in `init`, freed in `deinit`, used by one owner at a time.
  private let context: OpaquePointer

  /// A stream with a compression level; `nil` if there is no memory.
  package init?(level: Int32) {
    guard let context = ZSTD_createCCtx() else { return nil }
    self.context = context
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level)
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
  }

  deinit {
    ZSTD_freeCCtx(context)
  }

  /// Compressed output; at the end, all that remains.
  package func pack(_ bytes: [UInt8], isEnd: Bool) throws(StoreError) -> [UInt8] {
    var packed: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: ZSTD_CStreamOutSize())
    var done = 0
    while true {
      var left = 0
      let produced = bytes.withUnsafeBytes { input in
        buffer.withUnsafeMutableBytes { output in
          var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: done)
          var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
          left = ZSTD_compressStream2(
            context, &target, &source, isEnd ? ZSTD_e_end : ZSTD_e_continue)
          done = source.pos
          return target.pos
        }
      }
      guard ZSTD_isError(left) == 0 else {
        throw StoreError(.packed(String(cString: ZSTD_getErrorName(left))))
      }
      packed.append(contentsOf: buffer[..<produced])
      if isEnd ? left == 0 : done == bytes.count { return packed }
    }
  }
}

/// Decompresses a zstd stream, with limits on size and ratio.
final class UnpackingStream {
  /// Safe: made in `init`, freed in `deinit`, used by one owner at a time.
  private let context: OpaquePointer
  private let limits: ImportLimits
  private var taken = 0
  private var given = 0
  private var buffer = [UInt8](repeating: 0, count: ZSTD_DStreamOutSize())

  /// Whether a frame is incomplete.
  private(set) var isInside = false

  init?(limits: ImportLimits) {
    guard let context = ZSTD_createDCtx() else { return nil }
    self.context = context
    self.limits = limits
    ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, limits.windowLog)
  }

  deinit {
    ZSTD_freeDCtx(context)
  }

  /// Passes the output to a closure, at most 128 KiB at a time.
  func unpack(
    _ bytes: [UInt8], _ body: ([UInt8]) throws(StoreError) -> Void
  ) throws(StoreError) {
    var done = 0
    var isFull = false
    taken += bytes.count
    while done < bytes.count || isFull {
      var left = 0
      let produced = bytes.withUnsafeBytes { input in
        buffer.withUnsafeMutableBytes { output in
          var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: done)
          var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
          left = ZSTD_decompressStream(context, &target, &source)
          done = source.pos
          return target.pos
        }
      }
      guard ZSTD_isError(left) == 0 else {
        throw StoreError(.packed(String(cString: ZSTD_getErrorName(left))))
      }
      isFull = produced == buffer.count
      isInside = left > 0
      given += produced
      guard given <= limits.bytes else {
        throw StoreError(.packed("it unpacks to more than \(limits.bytes) bytes"))
      }
      guard given <= limits.freeBytes || given / limits.ratio <= taken else {
        throw StoreError(.packed("it unpacks to more than \(limits.ratio) times its size"))
      }
      if produced > 0 { try body(Array(buffer[..<produced])) }
    }
  }
}

/// The limits for decompressing a file, against decompression bombs.
package struct ImportLimits: Hashable, Sendable {
  /// The maximum bytes of the output. Default: 16 GiB.
  package var bytes = 16 << 30

  /// The maximum ratio of output to input; recordings reach some hundred. Default: 1,000.
  package var ratio = 1_000

  /// The bytes of output up to which the ratio is ignored. Default: 64 MiB.
  package var freeBytes = 64 << 20

  /// The maximum bytes of one line. Default: 256 MiB, which is also the limit of a JSON text.
  package var lineBytes = 256 << 20

  /// The maximum bytes of the header, which is listed with every other one. Default: 1 MiB, as for
  /// recorders.
  package var headerBytes = 1 << 20

  /// The maximum window size, as a power of 2. Default: 27, which is 128 MiB, the default limit of
  /// `zstd` itself.
  package var windowLog: Int32 = 27

  package init() {}
}

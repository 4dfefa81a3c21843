import CZstd

/// Packs bytes as they come into one zstd frame.
package final class PackingStream {
  /// Safe: made in `init`, freed in `deinit`, used by one owner at a time.
  private let context: OpaquePointer

  /// A stream that packs so densely; `nil` without memory.
  package init?(level: Int32) {
    guard let context = ZSTD_createCCtx() else { return nil }
    self.context = context
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level)
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
  }

  deinit {
    ZSTD_freeCCtx(context)
  }

  /// The packed bytes that came out; at the end, all that were left.
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

/// Unpacks a zstd file as it comes, bounded in size and ratio.
final class UnpackingStream {
  /// Safe: made in `init`, freed in `deinit`, used by one owner at a time.
  private let context: OpaquePointer
  private let limits: ImportLimits
  private var taken = 0
  private var given = 0
  private var buffer = [UInt8](repeating: 0, count: ZSTD_DStreamOutSize())

  /// Whether a frame was begun and not ended.
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

  /// Hands what comes out to a closure, at most 128 KiB at a time.
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

/// What a file may unpack to before it is refused.
package struct ImportLimits: Hashable, Sendable {
  /// The bytes of the whole. Default: 16 GiB.
  package var bytes = 16 << 30

  /// The most that it may be larger unpacked; recordings reach some hundred. Default: 1,000.
  package var ratio = 1_000

  /// The bytes up to which the ratio does not matter. Default: 64 MiB.
  package var freeBytes = 64 << 20

  /// The bytes of one line. Default: 64 MiB.
  package var lineBytes = 64 << 20

  /// The bytes of the header, which is listed with every other one. Default: 1 MiB, as for recorders.
  package var headerBytes = 1 << 20

  /// The window that unpacking may keep, as a power of 2. Default: 27, 128 MiB, which is what
  /// `zstd` itself unpacks without being asked.
  package var windowLog: Int32 = 27

  /// The limits where none are given.
  package init() {}
}

/// The hash of FIPS 180-4, for proofs, because the toolchain has none outside of Apple's platforms.
///
/// ```
/// var hash = SHA256()
/// hash.update("abc".utf8)
/// hash.finish()  // ba7816bf 8f01cfea …
/// ```
package struct SHA256 {
  package static let byteCount = 32

  static let blockBytes = 64

  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a,
    0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]
  private var block: [UInt8] = []
  /// The message schedule of a block, kept so that no block allocates memory.
  private var words = [UInt32](repeating: 0, count: 64)
  private var count: UInt64 = 0

  package init() {}

  package static func hash(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var hash = SHA256()
    hash.update(bytes)
    return hash.finish()
  }

  package mutating func update(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      block.append(byte)
      count &+= 1
      if block.count == Self.blockBytes {
        mix(block, at: 0)
        block.removeAll(keepingCapacity: true)
      }
    }
  }

  /// Adds bytes; whole blocks are read where they are.
  package mutating func update(_ bytes: [UInt8]) {
    let head = min(bytes.count, (Self.blockBytes - block.count) % Self.blockBytes)
    update(bytes[..<head])
    var next = head
    while bytes.count - next >= Self.blockBytes {
      mix(bytes, at: next)
      next += Self.blockBytes
      count &+= UInt64(Self.blockBytes)
    }
    update(bytes[next...])
  }

  /// The hash of all added bytes.
  package consuming func finish() -> [UInt8] {
    let bits = count &* 8
    update(CollectionOfOne(0x80))
    while block.count != Self.blockBytes - 8 { update(CollectionOfOne(0)) }
    update((0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) })
    return state.flatMap { word in
      (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) }
    }
  }

  private mutating func mix(_ bytes: [UInt8], at start: Int) {
    for place in 0..<16 {
      let byte = start + 4 * place
      words[place] =
        UInt32(bytes[byte]) << 24 | UInt32(bytes[byte + 1]) << 16 | UInt32(bytes[byte + 2]) << 8
        | UInt32(bytes[byte + 3])
    }
    for place in 16..<64 {
      let (a, b) = (words[place - 15], words[place - 2])
      let small = rotate(a, 7) ^ rotate(a, 18) ^ a >> 3
      let large = rotate(b, 17) ^ rotate(b, 19) ^ b >> 10
      words[place] = words[place - 16] &+ small &+ words[place - 7] &+ large
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for place in 0..<64 {
      let choice = e & f ^ ~e & g
      let majority = a & b ^ a & c ^ b & c
      let first =
        h &+ (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) &+ choice
        &+ Self.constants[place] &+ words[place]
      let second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) &+ majority
      (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
    }
    state[0] &+= a
    state[1] &+= b
    state[2] &+= c
    state[3] &+= d
    state[4] &+= e
    state[5] &+= f
    state[6] &+= g
    state[7] &+= h
  }

  private func rotate(_ word: UInt32, _ bits: UInt32) -> UInt32 {
    word >> bits | word << (32 - bits)
  }

  /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
    0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
    0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
    0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
    0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
    0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
    0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
    0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
    0xc671_78f2,
  ]
}

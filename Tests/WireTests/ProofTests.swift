import TestSupport
import Testing

@testable import Timelines
@testable import Wire

@Suite("Proofs")
struct ProofTests {
  @Test(
    "hashes as FIPS 180-4 shows",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ])
  func hashes(message: String, hash: String) {
    #expect(SHA256.hexadecimal(SHA256.hash(message.utf8)) == hash)
  }

  @Test(
    "authenticates as RFC 4231 shows",
    arguments: [
      (
        Array(repeating: 0x0b, count: 20), "Hi There",
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
      ),
      (
        Array("Jefe".utf8), "what do ya want for nothing?",
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
      ),
      (
        Array(repeating: 0xaa, count: 131),
        "Test Using Larger Than Block-Size Key - Hash Key First",
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
      ),
    ] as [([UInt8], String, String)])
  func authenticates(key: [UInt8], message: String, code: String) {
    #expect(ProofText.proof(of: message, secret: key) == code)
  }

  @Test("agrees with Python's libraries at every length around a block")
  func oracle() throws {
    var generator = SeededGenerator(seed: 4)
    func bytes(_ count: Int) -> [UInt8] {
      (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
    let questions = (0...140).map { (bytes(140 - $0), bytes($0)) }
    let answers = try PythonOracle.answers(
      of: "proofs.py",
      to: questions.map { "\(SHA256.hexadecimal($0)) \(SHA256.hexadecimal($1))" })
    for ((key, message), answer) in zip(questions, answers) {
      let code = SHA256.authenticationCode(of: message, key: key)
      let own = [SHA256.hash(message), code].map(SHA256.hexadecimal).joined(separator: " ")
      #expect(own == answer, "a message of \(message.count) bytes")
      for place in [1, 63, 64, 65] where place < message.count {
        var parts = SHA256()
        parts.update(Array(message[..<place]))
        parts.update(Array(message[place...]))
        let hash = SHA256.hexadecimal(parts.finish())
        #expect(answer.hasPrefix(hash), "a message of \(message.count) bytes, cut at \(place)")
      }
    }
  }

  @Test("distinguishes proofs by each digit, and by their length")
  func comparison() {
    let proof = ProofText.proof(of: "text", secret: [1])
    #expect(ProofText.isSame(proof, as: proof))
    for place in proof.indices {
      var other = proof
      other.replaceSubrange(place...place, with: proof[place] == "0" ? "1" : "0")
      #expect(!ProofText.isSame(other, as: proof))
    }
    #expect(!ProofText.isSame(String(proof.dropLast()), as: proof))
    #expect(!ProofText.isSame("", as: proof))
  }

  @Test("makes nonces that are nonces, and no two alike")
  func nonces() {
    var generator = SystemRandomNumberGenerator()
    let nonces = (0..<8).map { _ in ProofText.nonce(using: &generator) }
    #expect(nonces.allSatisfy(ProofText.isNonce))
    #expect(Set(nonces).count == nonces.count)
  }
}

import Foundation

/// A certificate for localhost and 127.0.0.1, created with openssl for one test.
public struct Certificate: Sendable {
  /// As PEM.
  public let certificatePath: String
  /// As PEM.
  public let keyPath: String
  /// The SHA-256 fingerprint with colons, in the format of openssl.
  public let fingerprint: String

  private struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Creates a certificate in its own folder.
  public init() throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "certificate-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    certificatePath = folder.appending(path: "certificate.pem").path
    keyPath = folder.appending(path: "key.pem").path
    _ = try Self.openssl([
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
      "-keyout", keyPath, "-out", certificatePath, "-days", "2", "-subj", "/CN=localhost",
      "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
    ])
    let line = try Self.openssl([
      "x509", "-in", certificatePath, "-noout", "-fingerprint", "-sha256",
    ])
    fingerprint = String(line.split(separator: "=")[1].filter { $0 == ":" || $0.isHexDigit })
  }

  /// Replaces the files of another certificate, like a renewal.
  public func copy(over other: Certificate, withKey: Bool = true) throws {
    try Data(contentsOf: URL(filePath: certificatePath))
      .write(to: URL(filePath: other.certificatePath), options: .atomic)
    guard withKey else { return }
    try Data(contentsOf: URL(filePath: keyPath))
      .write(to: URL(filePath: other.keyPath), options: .atomic)
  }

  private static func openssl(_ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["openssl"] + arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(description: "openssl \(arguments[0]) failed; the tests need openssl")
    }
    return String(decoding: text, as: UTF8.self)
  }
}

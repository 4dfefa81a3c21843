import Foundation
import TestSupport
import Testing

@testable import WebSockets

@Suite("TLS", .timeLimit(.minutes(10)))
struct SecureTests {
  private func secureServer(
    _ body: (World, Certificate, SessionProbe) async throws -> Void
  ) async throws {
    let certificate = try Certificate()
    var options = ListenerOptions()
    options.identity = ServerIdentity(
      certificatePath: certificate.certificatePath, keyPath: certificate.keyPath)
    let server = SessionProbe(isEcho: true)
    try await World.with(ProbeServer(server), options: options) { world in
      try await body(world, certificate, server)
    }
  }

  @Test("accepts the certificate's own file as authority, and its fingerprint")
  func trusted() async throws {
    try await secureServer { world, certificate, server in
      let trusts: [TLSTrust] = [
        .authority(path: certificate.certificatePath), .fingerprint(certificate.fingerprint),
        .fingerprint(certificate.fingerprint.filter { $0 != ":" }.lowercased()),
      ]
      for trust in trusts {
        let client = SessionProbe()
        let session = await world.connect(
          client, to: .secure(host: "localhost", port: world.listener.port, trust: trust))
        let first = await client.next()
        guard first == .opened else {
          Issue.record("\(trust) led to \(String(describing: first))")
          continue
        }
        let large = [UInt8](repeating: 7, count: 300_000)
        session.send(.binary(large))
        #expect(await client.next() == .binary(large))
        session.close()
        #expect(await client.end()?.wasClean == true)
      }
    }
  }

  @Test("rejects an untrusted certificate")
  func untrusted() async throws {
    try await secureServer { world, certificate, _ in
      let other = try Certificate()
      let trusts: [TLSTrust] = [
        .system, .authority(path: other.certificatePath), .fingerprint(other.fingerprint),
      ]
      for trust in trusts {
        let client = SessionProbe()
        _ = await world.connect(
          client, to: .secure(host: "localhost", port: world.listener.port, trust: trust))
        let event = await client.next()
        guard case .closed(let end) = event else {
          Issue.record("\(trust) led to \(String(describing: event))")
          continue
        }
        #expect(end.code == .abnormal)
        let isPinned = trust == .fingerprint(other.fingerprint)
        #expect(
          end.reason
            == (isPinned
              ? "the server's certificate does not have the expected fingerprint"
              : "the server's certificate is not from a trusted authority"))
      }
    }
  }

  @Test("rejects a certificate for another name")
  func otherName() async throws {
    try await secureServer { world, certificate, _ in
      let client = SessionProbe()
      _ = await world.connect(
        client,
        to: .secure(
          // Another spelling of 127.0.0.1, which the certificate does not have.
          host: "127.1", port: world.listener.port,
          trust: .authority(path: certificate.certificatePath)))
      let end = await client.end()
      #expect(end?.code == .abnormal)
      #expect(end?.reason == "the server's certificate is for another host name")
    }
  }

  @Test("does not mistake a server without TLS for one with a wrong certificate")
  func withoutTLS() async throws {
    let certificate = try Certificate()
    try await World.with(ProbeServer(SessionProbe())) { world in
      let client = SessionProbe()
      _ = await world.connect(
        client,
        to: .secure(
          host: "localhost", port: world.listener.port,
          trust: .authority(path: certificate.certificatePath)))
      let reason = await client.end()?.reason ?? ""
      #expect(!reason.isEmpty && !reason.contains("certificate"), "\(reason)")
    }
  }

  @Test("names a host that cannot be resolved")
  func unresolved() async throws {
    try await World.with(ProbeServer(SessionProbe())) { world in
      let client = SessionProbe()
      // RFC 6761 reserves this domain, so no resolver may find it.
      _ = await world.connect(client, to: .plain(host: "nowhere.invalid", port: 7_357))
      #expect(await client.end()?.reason == "the host name nowhere.invalid cannot be resolved")
    }
  }

  @Test("accepts the public library's client, and refuses one without TLS")
  func library() async throws {
    try await secureServer { world, certificate, _ in
      let port = world.listener.port
      let answer = try await Asked.one(
        "websocket_client.py",
        [
          "uri": "wss://localhost:\(port)/", "send": ["a", "b"],
          "authority": certificate.certificatePath,
        ])
      let received = try Asked.text(answer)
      #expect(received == #"{"received":["a","b"],"subprotocol":null}"#)
      let plain = try await Asked.one(
        "websocket_client.py", ["uri": "ws://127.0.0.1:\(port)/", "send": ["a"]])
      #expect(try Asked.text(plain).hasPrefix(#"{"failed":"#))
    }
  }

  @Test("connects to the public library's server")
  func libraryServer() async throws {
    let certificate = try Certificate()
    let peer = try PythonPeer(
      "websocket_server.py", [certificate.certificatePath, certificate.keyPath])
    let port = try #require(Int(peer.line))
    let loop = try Loop.start()
    let client = SessionProbe()
    let session = await loop.run {
      $0.connect(
        to: .secure(host: "localhost", port: port, trust: .fingerprint(certificate.fingerprint)),
        handler: client)
    }
    session.send(.text(Array("sent before it began".utf8)))
    #expect(await client.next() == .opened)
    #expect(await client.next() == .text("sent before it began"))
    await loop.stop()
    _ = peer
  }

  @Test("shows a renewed certificate to new connections, and keeps the open ones")
  func renewed() async throws {
    try await secureServer { world, certificate, _ in
      func connects(trusting fingerprint: String) async -> (SessionProbe, Session, Bool) {
        let client = SessionProbe()
        let session = await world.connect(
          client,
          to: .secure(
            host: "localhost", port: world.listener.port, trust: .fingerprint(fingerprint)))
        return (client, session, await client.next() == .opened)
      }
      let (first, session, isOpen) = await connects(trusting: certificate.fingerprint)
      #expect(isOpen)
      #expect(try await world.loop.run { try $0.renewIdentities() } == false, "nothing is new")

      let other = try Certificate()
      try other.copy(over: certificate)
      #expect(try await world.loop.run { try $0.renewIdentities() })
      #expect(await connects(trusting: other.fingerprint).2)
      #expect(await connects(trusting: certificate.fingerprint).2 == false)
      session.send(.text(Array("still here".utf8)))
      #expect(await first.next() == .text("still here"))

      // A certificate without its key, as in the middle of a renewal.
      try Certificate().copy(over: certificate, withKey: false)
      await #expect(throws: TransportError.self) {
        try await world.loop.run { try $0.renewIdentities() }
      }
      #expect(await connects(trusting: other.fingerprint).2, "the last one that fits stays")
    }
  }

  @Test("reports which file cannot be read")
  func missingFile() async throws {
    let loop = try Loop.start()
    var options = ListenerOptions()
    options.identity = ServerIdentity(certificatePath: "/nowhere/c.pem", keyPath: "/nowhere/k.pem")
    let settings = options
    await #expect(
      throws: TransportError.cannotRead(
        path: "/nowhere/c.pem", address: "127.0.0.1:0", code: ENOENT)
    ) {
      try await loop.run { loop in
        try loop.listen(
          on: .tcp(host: "127.0.0.1", port: 0), handler: ProbeServer(), options: settings)
      }
    }
    await loop.stop()
  }
}

// SPDX-License-Identifier: MIT
import Foundation
import Testing

@testable import MurmurationServe

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Raw requests to a server of a small folder, and what comes back.
@Suite(.serialized) struct PageServerTests {
  static let page = "<!doctype html><title>Springs</title>"

  @Test(arguments: [
    ("/", "text/html; charset=utf-8"), ("/index.html", "text/html; charset=utf-8"),
    ("/engine.wasm", "application/wasm"), ("/main.js", "text/javascript; charset=utf-8"),
    ("/murmuration.mjs?v=1", "text/javascript; charset=utf-8"), ("/style.css", "text/css; charset=utf-8"),
    ("/more/", "text/html; charset=utf-8"), ("/inside.js", "text/javascript; charset=utf-8"),
  ])
  func filesHaveTheirTypes(path: String, type: String) async throws {
    let answer = try await Self.answer(to: path)
    #expect(answer.status == 200 && answer.headers["content-type"] == type)
    #expect(answer.headers["cache-control"] == "no-cache" && answer.headers["x-content-type-options"] == "nosniff")
    #expect(answer.headers["content-length"] == String(answer.body.utf8.count))
  }

  @Test func headHasTheLengthAndNoBody() async throws {
    let answer = try await Self.answer(to: "/", method: "HEAD", host: "localhost:PORT")
    #expect(answer.status == 200 && answer.body.isEmpty)
    #expect(answer.headers["content-length"] == String(Self.page.utf8.count))
  }

  @Test(arguments: ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "BREW"])
  func otherMethodsAreRefused(method: String) async throws {
    let answer = try await Self.answer(to: "/", method: method)
    #expect(answer.status == (method == "BREW" ? 404 : 405) && !answer.body.contains("Springs"))
    #expect(method == "BREW" || answer.headers["allow"] == "GET, HEAD")
  }

  /// `secret.txt` lies beside the folder; `out.txt` and `far` in it are links that lead there; `.hidden` lies in it. Nothing
  /// writes to `pipe`.
  @Test(arguments: [
    ("/../secret.txt", 403), ("/more/../../secret.txt", 403), ("/more/../index.html", 403), ("/./index.html", 403),
    ("/%2e%2e/secret.txt", 400), ("/%2E%2E%2Fsecret.txt", 400), ("/..%2fsecret.txt", 403),
    ("/%252e%252e/secret.txt", 400), ("/pipe", 404), ("/..\\secret.txt", 403), ("/more\\..\\..\\secret.txt", 400),
    ("/out.txt", 403), ("/far/secret.txt", 403), ("/.hidden", 403), ("/index.html%00.txt", 400), ("//secret.txt", 400),
    ("/more//index.html", 400), ("/etc/passwd", 404), ("//etc/passwd", 400), ("/none.js", 404), ("/more", 404),
    ("/index.html/", 404), ("secret.txt", 400), ("*", 400), ("http://127.0.0.1/index.html", 400),
    ("file:///etc/passwd", 400), ("/ä.txt", 400),
  ])
  func pathsOutsideTheFolderAreRefused(path: String, status: Int) async throws {
    let answer = try await Self.answer(to: path)
    #expect(answer.status == status && !answer.body.contains("secret") && !answer.body.contains("root:"))
  }

  @Test(arguments: [
    ("evil.example", 403), ("evil.example:PORT", 403), ("127.0.0.1", 403), ("127.0.0.1:1", 403), ("localhost", 403),
    ("localhost:PORT.evil.example", 403), ("127.0.0.1:PORT@evil.example", 403), ("[::1]:PORT", 403),
    ("0.0.0.0:PORT", 403), (nil, 400),
  ])
  func otherHostsAreRefused(host: String?, status: Int) async throws {
    let answer = try await Self.answer(to: "/", host: host)
    #expect(answer.status == status && !answer.body.contains("Springs"))
  }

  @Test(arguments: [
    ("http://evil.example", 403), ("null", 403), ("https://127.0.0.1:PORT", 403), ("http://127.0.0.1:1", 403),
    ("http://127.0.0.1:PORT.evil.example", 403), ("http://127.0.0.1:PORT", 200), ("http://localhost:PORT", 200),
  ])
  func otherOriginsAreRefused(origin: String, status: Int) async throws {
    let answer = try await Self.answer(to: "/", more: "Origin: \(origin)\r\n")
    #expect(answer.status == status && answer.body.contains("Springs") == (status == 200))
  }

  /// The connection ends without an answer, or with one that says 400.
  @Test(arguments: [
    "\r\n\r\n", "GARBAGE\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/9.9\r\nHost: 127.0.0.1:PORT\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Length: -1\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Length: 4x\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nConnection: close\r\nContent-Length: 4\r\n\r\nbody",
    "GET / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "\u{0}\u{1}\u{2}\u{16}\u{3}\u{1}\r\n\r\n",
  ])
  func malformedRequestsAreRefused(request: String) async throws {
    let answer = try await Self.answer(request, closing: true)
    #expect((answer.status ?? 400) == 400 && !answer.body.contains("Springs"))
  }

  @Test func itListensOnTheLoopbackAddressAlone() async throws {
    try await Self.withServer { port in
      #expect(RawConnection(host: "127.0.0.2", port: port) == nil)
      #expect(RawConnection(host: "127.0.0.1", port: port) != nil)
    }
  }

  @Test(.timeLimit(.minutes(1))) func aTakenPortIsSaid() async throws {
    try await Self.withServer { port in
      let second = try PageServer(#require(ServedFolder("/")), port: port)
      await #expect(throws: (any Error).self) { try await second.run { _ in } }
    }
  }

  @Test func aMissingFolderIsSaid() {
    #expect(ServedFolder("/nowhere/at/all") == nil)
    #expect(ServedFolder("/etc/passwd") == nil)
  }
}

// MARK: - Server and client

extension PageServerTests {
  /// Serves a folder with all that the tests ask for, while `body` runs.
  static func withServer(_ body: @escaping @Sendable (UInt16) async throws -> Void) async throws {
    let manager = FileManager.default
    let top = manager.temporaryDirectory.appendingPathComponent("murmuration-serve-\(UUID().uuidString)")
    defer { try? manager.removeItem(at: top) }
    let folder = top.appendingPathComponent("web")
    try manager.createDirectory(at: folder.appendingPathComponent("more"), withIntermediateDirectories: true)
    let files = [
      "index.html": page, "more/index.html": page, "main.js": "export {}", "murmuration.mjs": "export {}",
      "style.css": "a {}", "engine.wasm": "\u{0}asm", ".hidden": "secret", "../secret.txt": "secret",
    ]
    for (name, text) in files { try Data(text.utf8).write(to: folder.appendingPathComponent(name)) }
    let links = ["out.txt": "../secret.txt", "far": "..", "inside.js": "main.js"]
    for (name, goal) in links {
      try manager.createSymbolicLink(atPath: folder.path + "/" + name, withDestinationPath: goal)
    }
    #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)

    let server = try PageServer(#require(ServedFolder(folder.path)), port: 0)
    let (ports, found) = AsyncStream.makeStream(of: UInt16.self)
    let running = Task {
      defer { found.finish() }
      try await server.run { found.yield($0) }
    }
    defer { running.cancel() }
    var iterator = ports.makeAsyncIterator()
    try await body(try #require(await iterator.next(), "the server did not start"))
  }

  /// The answer to a request for a path.
  static func answer(
    to path: String, method: String = "GET", host: String? = "127.0.0.1:PORT", more: String = ""
  ) async throws -> RawAnswer {
    let host = host.map { "Host: \($0)\r\n" } ?? ""
    return try await answer("\(method) \(path) HTTP/1.1\r\n\(host)\(more)Connection: close\r\n\r\n")
  }

  /// The answer to a request, in which PORT is the port.
  ///
  /// - Parameter closing: Whether to say that nothing follows, as a server may wait for more of a malformed request.
  static func answer(_ request: String, closing: Bool = false) async throws -> RawAnswer {
    let (answers, found) = AsyncStream.makeStream(of: RawAnswer.self)
    try await withServer { port in
      let text = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<String, any Error>) in
        // Not on the threads that the server needs.
        Thread.detachNewThread {
          continuation.resume(
            with: Result {
              try #require(RawConnection(host: "127.0.0.1", port: port))
                .exchange(request.replacing("PORT", with: "\(port)"), closing: closing)
            })
        }
      }
      found.yield(RawAnswer(text))
    }
    var iterator = answers.makeAsyncIterator()
    return try #require(await iterator.next())
  }
}

/// A response, taken apart. Nothing at all has no status.
struct RawAnswer {
  var status: Int?
  var headers: [String: String] = [:]
  var body = ""

  init(_ text: String) {
    guard let end = text.range(of: "\r\n\r\n") else { return }
    let lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
    status = lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) }
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2 { headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces) }
    }
    body = String(text[end.upperBound...])
  }
}

/// A connection that sends bytes as they are.
final class RawConnection {
  private let descriptor: Int32

  /// Returns nil if nothing listens there.
  init?(host: String, port: UInt16) {
    #if canImport(Darwin)
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #else
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr(host)
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
    }
    guard result == 0 else { return nil }
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  /// Sends a request, and returns all that comes until the other side closes.
  func exchange(_ request: String, closing: Bool) -> String {
    let bytes = Array(request.utf8)
    _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    if closing { shutdown(descriptor, Int32(SHUT_WR)) }
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      received += buffer[..<count]
    }
    return String(decoding: received, as: UTF8.self)
  }
}

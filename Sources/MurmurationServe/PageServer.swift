// SPDX-License-Identifier: MIT
import FlyingFox
import FlyingSocks
import Foundation

/// A server of one folder on 127.0.0.1.
///
/// A page of another site can make a browser send requests here. They are refused by their `Origin`, and, where a name of
/// that site resolves to this computer, by their `Host`.
struct PageServer: Sendable {
  private let files: ServedFolder
  private let server: HTTPServer

  /// - Parameter port: The port to listen on; 0 takes any that is free.
  init(_ files: ServedFolder, port: UInt16) throws {
    self.files = files
    server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: port), logger: .disabled)
  }

  /// Answers requests until the task is cancelled.
  ///
  /// - Parameter whenListening: Called once, with the port, before the first request is answered.
  func run(whenListening: @escaping @Sendable (UInt16) -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await server.run() }
      group.addTask {
        try await server.waitUntilListening()
        guard case .ip4(_, port: let port) = await server.listeningAddress else { return }
        await server.appendRoute("*") { request in answer(to: request, port: port) }
        whenListening(port)
      }
      for try await _ in group {}
    }
  }

  /// The answer to one request: a file, or the reason for a refusal as a line of text.
  private func answer(to request: HTTPRequest, port: UInt16) -> HTTPResponse {
    var response: HTTPResponse
    do throws(Refusal) {
      try check(request, port: port)
      let file = try file(for: request)
      response = HTTPResponse(statusCode: .ok, headers: [.contentType: file.type], body: file.data)
    } catch {
      response = HTTPResponse(
        statusCode: error.status, headers: [.contentType: "text/plain; charset=utf-8"],
        body: Data((error.reason + "\n").utf8))
      if error.status == .methodNotAllowed { response.headers[HTTPHeader("Allow")] = "GET, HEAD" }
    }
    response.headers[.cacheControl] = "no-cache"
    response.headers[HTTPHeader("X-Content-Type-Options")] = "nosniff"
    response.headers[HTTPHeader("Cross-Origin-Resource-Policy")] = "same-origin"
    if request.method == .HEAD, case .httpBody(let body) = response.payload {
      response.headers[.contentLength] = body.count.map(String.init)
      response.payload = .httpBody(HTTPBodySequence())
    }
    return response
  }

  private func check(_ request: HTTPRequest, port: UInt16) throws(Refusal) {
    guard request.version == .http11 || request.version == HTTPVersion("HTTP/1.0") else {
      throw Refusal(.badRequest, "this is not HTTP/1")
    }
    guard request.method == .GET || request.method == .HEAD else {
      throw Refusal(.methodNotAllowed, "only GET and HEAD are answered")
    }
    guard request.headers[.transferEncoding] == nil, request.bodySequence.count ?? 1 == 0 else {
      throw Refusal(.badRequest, "a request for a file has no body")
    }
    guard let host = request.headers[.host] else { throw Refusal(.badRequest, "there is no Host") }
    let names = ["127.0.0.1:\(port)", "localhost:\(port)"] + (port == 80 ? ["127.0.0.1", "localhost"] : [])
    guard names.contains(host.lowercased()) else { throw Refusal(.forbidden, "this server has another name") }
    if let origin = request.headers[HTTPHeader("Origin")] {
      guard names.contains(where: { "http://\($0)" == origin.lowercased() }) else {
        throw Refusal(.forbidden, "the pages of other sites get no answer")
      }
    }
  }

  private func file(for request: HTTPRequest) throws(Refusal) -> ServedFolder.File {
    do throws(ServedFolder.Refusal) {
      return try files.file(at: request.target.path())
    } catch {
      switch error {
      case .malformed: throw Refusal(.badRequest, "no file has such a path")
      case .outside: throw Refusal(.forbidden, "the path leads out of the folder")
      case .missing: throw Refusal(.notFound, "there is no such file")
      }
    }
  }
}

/// A status and the words that go with it.
private struct Refusal: Error {
  var status: HTTPStatusCode
  var reason: String

  init(_ status: HTTPStatusCode, _ reason: String) {
    self.status = status
    self.reason = reason
  }
}

public import Foundation

/// The folder of `Package.swift`, relative to this file.
public let repositoryRoot = URL(filePath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

internal import CLibWebsockets

/// Why the library rejects a server's certificate.
enum CertificateProblem {
  /// A clause for the result of a verification; `nil` if the certificate was not rejected.
  ///
  /// The library's own text is the same for all of these, and for a server without TLS.
  static func text(_ result: Int) -> String? {
    switch Int32(truncatingIfNeeded: result) {
    case X509_V_OK: nil
    case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH:
      "the server's certificate is for another host name"
    case X509_V_ERR_CERT_HAS_EXPIRED: "the server's certificate has expired"
    case X509_V_ERR_CERT_NOT_YET_VALID: "the server's certificate is not valid yet"
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
      X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
      X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_CERT_SIGNATURE_FAILURE:
      "the server's certificate is not from a trusted authority"
    default:
      "the server's certificate cannot be verified: "
        + String(cString: X509_verify_cert_error_string(result))
    }
  }
}

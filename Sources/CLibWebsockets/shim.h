#pragma once
#include <libwebsockets.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>

// LWS_PRE is an expression that Swift does not import.
static inline size_t shim_headroom(void) { return LWS_PRE; }

// The options are shifts of long long literals that Swift does not import.
static inline uint64_t shim_context_options(int is_first) {
  return LWS_SERVER_OPTION_EXPLICIT_VHOSTS | LWS_SERVER_OPTION_VALIDATE_UTF8 |
         LWS_SERVER_OPTION_SKIP_SERVER_CANONICAL_NAME |
         (is_first ? LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT : 0);
}

// A macro of unsigned longs that Swift does not import.
static inline void shim_keep_tls_at_exit(void) {
  OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL);
}

// The same for a listener.
static inline uint64_t shim_listener_options(int unix_socket, int ipv6) {
  return LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT | LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND |
         LWS_SERVER_OPTION_VALIDATE_UTF8 | LWS_SERVER_OPTION_IPV6_V6ONLY_MODIFY |
         LWS_SERVER_OPTION_IPV6_V6ONLY_VALUE | (unix_socket ? LWS_SERVER_OPTION_UNIX_SOCK : 0) |
         (ipv6 ? 0 : LWS_SERVER_OPTION_DISABLE_IPV6);
}

// Since 4.3 the library resumes TLS sessions. A resumed session shows the certificate of the first
// one, so a renewed certificate would not match its fingerprint.
#ifdef LWS_SERVER_OPTION_DISABLE_TLS_SESSION_CACHE
#define SHIM_NO_TLS_RESUMPTION LWS_SERVER_OPTION_DISABLE_TLS_SESSION_CACHE
#else
#define SHIM_NO_TLS_RESUMPTION 0
#endif

// The same for outgoing connections.
static inline uint64_t shim_client_options(int only_given_roots) {
  return LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT | LWS_SERVER_OPTION_VALIDATE_UTF8 |
         SHIM_NO_TLS_RESUMPTION |
         (only_given_roots ? LWS_SERVER_OPTION_DISABLE_OS_CA_CERTS : 0);
}

// The port of a vhost that does not listen is a negative macro.
static inline int shim_port_none(void) { return CONTEXT_PORT_NO_LISTEN; }

// The timeout for "soon, from the service loop" is a negative macro.
static inline void shim_kill_soon(struct lws *wsi) {
  lws_set_timeout(wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
}

// A timer with its owner, which the library's own structure does not have.
struct shim_timer {
  lws_sorted_usec_list_t entry;
  void *owner;
};

// Arms it; a static inline, because a macro in the middle takes the address of the entry.
static inline void shim_timer_set(struct lws_context *context, struct shim_timer *timer,
                                  sul_cb_t fired, int64_t microseconds) {
  lws_sul_schedule(context, 0, &timer->entry, fired, microseconds);
}

// Disarms it, for the same reason.
static inline void shim_timer_cancel(struct shim_timer *timer) {
  lws_sul_cancel(&timer->entry);
}

// Flags of different enums are combined.
static inline int shim_write(struct lws *wsi, unsigned char *bytes, size_t count, int kind,
                             int is_first, int is_last) {
  return lws_write(wsi, bytes, count,
                   (enum lws_write_protocol)lws_write_ws_flags(kind, is_first, is_last));
}

// The library's information about a certificate does not include the certificate.
static inline int shim_peer_fingerprint(struct lws *wsi, unsigned char *digest_of_32_bytes) {
  SSL *ssl = lws_get_ssl(wsi);
  X509 *certificate = ssl ? SSL_get_peer_certificate(ssl) : NULL;
  unsigned int length = 0;
  int is_known = certificate &&
                 X509_digest(certificate, EVP_sha256(), digest_of_32_bytes, &length) == 1 &&
                 length == 32;
  X509_free(certificate);
  return is_known;
}

// Why the peer's certificate was rejected, as X509_STORE_CTX_get_error reports it; 0 if it was not.
static inline long shim_verification_failure(struct lws *wsi) {
  SSL *ssl = lws_get_ssl(wsi);
  return ssl ? SSL_get_verify_result(ssl) : X509_V_OK;
}

// Whether a certificate and a key can be read and belong together. The library would check only
// after it has discarded the old ones.
static inline int shim_is_identity(const char *certificate_path, const char *key_path) {
  SSL_CTX *probe = SSL_CTX_new(TLS_server_method());
  int fits = probe && SSL_CTX_use_certificate_chain_file(probe, certificate_path) == 1 &&
             SSL_CTX_use_PrivateKey_file(probe, key_path, SSL_FILETYPE_PEM) == 1 &&
             SSL_CTX_check_private_key(probe) == 1;
  SSL_CTX_free(probe);
  ERR_clear_error();
  return fits;
}

// The system declares the structure only for GNU C, which Swift does not use.
static inline int shim_peer_credentials(int descriptor, uint32_t *user, int32_t *process) {
  struct { int32_t process; uint32_t user; uint32_t group; } found;
  socklen_t size = sizeof(found);
  if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &found, &size) || size != sizeof(found))
    return 0;
  *user = found.user;
  *process = found.process;
  return 1;
}

// Asks the system about a socket's peer. Returns 1 and the bytes that a TCP socket has received,
// 2 and the bytes that the peer of a Unix socket has not read, or 0.
// The layout of TCP_INFO is part of the kernel's interface; libc's structure ends before this field.
static inline int shim_socket_signs(int descriptor, uint64_t *received, int *unread) {
  struct sockaddr_storage address;
  socklen_t size = sizeof(address);
  if (getsockname(descriptor, (struct sockaddr *)&address, &size)) return 0;
  if (address.ss_family == AF_UNIX)
    return ioctl(descriptor, TIOCOUTQ, unread) == 0 ? 2 : 0;
  if (address.ss_family != AF_INET && address.ss_family != AF_INET6) return 0;
  unsigned char info[136];
  size = sizeof(info);
  // 6 is IPPROTO_TCP, 11 TCP_INFO; tcpi_bytes_received is at 128.
  if (getsockopt(descriptor, 6, 11, info, &size) || size < sizeof(info)) return 0;
  memcpy(received, info + 128, sizeof(*received));
  return 1;
}

// prctl is variadic, and Swift cannot call it.
static inline void shim_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

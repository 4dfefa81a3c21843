purpose="libwebsockets, the transport"
packages="libwebsockets-dev"

probe() {
  compile websockets '#include <libwebsockets.h>
    int main(void) { return lws_get_library_version() == 0; }'
}

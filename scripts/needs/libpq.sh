purpose="libpq, the client of PostgreSQL"
packages="libpq-dev"

probe() {
  compile pq '#if __has_include(<libpq-fe.h>)
    #include <libpq-fe.h>
    #else
    #include <postgresql/libpq-fe.h>
    #endif
    int main(void) { return PQlibVersion() < 140000; }'
}

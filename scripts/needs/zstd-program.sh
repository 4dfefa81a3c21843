purpose="zstd's program, which packed files are tried with"
packages="zstd"

probe() { [ "$(printf states | zstd -q | zstd -d -q)" = states ]; }

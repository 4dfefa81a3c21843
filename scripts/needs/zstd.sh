purpose="zstd, which packs timelines"
packages="libzstd-dev"

probe() {
  compile zstd '#include <zstd.h>
    int main(void) { return ZSTD_versionNumber() == 0; }'
}

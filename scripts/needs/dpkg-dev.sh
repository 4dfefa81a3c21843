purpose="what Debian packages are made with"
packages="dpkg-dev binutils"

probe() {
  dpkg-deb --version && dpkg-shlibdeps --version && objdump --version && strip --version
}

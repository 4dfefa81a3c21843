purpose="openssl, which makes the certificates of the tests"
packages="openssl"

probe() {
  openssl version
}

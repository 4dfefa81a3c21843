purpose="Firefox, in which the page is tried"
packages="firefox-esr"

probe() {
  firefox-esr --version
}

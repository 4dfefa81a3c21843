purpose="Chromium, in which the page is tried"
packages="chromium"

probe() {
  chromium --version
}

purpose="Chromium without windows, in which the page is tested"
packages="chromium-headless-shell"

probe() {
  chromium-headless-shell --version
}

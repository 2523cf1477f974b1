class Octavo < Formula
  desc "Local features with one answer on every device"
  homepage "@URL@"
  url "@URL@/octavo-@VERSION@.tar.gz"
  sha256 "@SHA256@"
  license "Apache-2.0"

  depends_on "cli11" => :build
  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "nlohmann-json" => :build
  depends_on "opencl-headers" => :build
  depends_on "pkgconf" => :build
  depends_on "libexif"
  depends_on "little-cms2"
  depends_on "ceres-solver"
  depends_on "cpp-httplib"
  depends_on "ffmpeg"
  depends_on "fmt"
  depends_on "giflib"
  depends_on "hdf5"
  depends_on "highway"
  depends_on "jpeg-turbo"
  depends_on "libheif"
  depends_on "libpng"
  depends_on "libtiff"
  depends_on "libzip"
  depends_on :linux
  depends_on "opencv"
  depends_on "openjpeg"
  depends_on "sqlite"
  depends_on "tbb"
  depends_on "webp"
  depends_on "xxhash"

  # Embedded in pages.
  resource "chart.js" do
    url "https://github.com/chartjs/Chart.js/releases/download/v3.9.1/chart.js-3.9.1.tgz"
    sha256 "111e0751796f087a51e94dfed910ccfb1278fd30e584a6e48514dba9ae7e72c6"
  end

  resource "mustache" do
    url "https://github.com/kainjow/Mustache/archive/refs/tags/v4.1.tar.gz"
    sha256 "acd66359feb4318b421f9574cfc5a511133a77d916d0b13c7caa3783c0bfe167"
  end

  def install
    resource("chart.js").stage buildpath/"chart.js"
    resource("mustache").stage buildpath/"mustache/kainjow"
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", *std_cmake_args,
                    "-DBUILD_SHARED_LIBS=ON", "-DOCTAVO_TESTS=OFF", "-DOCTAVO_BENCH=OFF",
                    "-DCHART_JS=#{buildpath}/chart.js/dist/chart.min.js",
                    "-DMUSTACHE_INCLUDE_DIR=#{buildpath}/mustache"
    system "cmake", "--build", "build", "--target", "octavo_installed"
    system "cmake", "--install", "build"
    pkgshare.install "tests/consumer/engine.cc"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/octavo --version")
    system bin/"octavo", "selftest", "--device", "cpu"
    flags = shell_output("pkgconf --cflags --libs octavo").chomp.split
    system ENV.cxx, "-std=c++20", pkgshare/"engine.cc", "-o", "engine", *flags
    system "./engine"
  end
end

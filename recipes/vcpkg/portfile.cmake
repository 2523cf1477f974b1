vcpkg_download_distfile(archive
  URLS "@URL@/octavo-${VERSION}.tar.gz"
  FILENAME "octavo-${VERSION}.tar.gz"
  SHA512 @SHA512@)
vcpkg_extract_source_archive(SOURCE_PATH ARCHIVE "${archive}")

vcpkg_check_features(OUT_FEATURE_OPTIONS features FEATURES apps OCTAVO_APPS)
if("apps" IN_LIST FEATURES)
  # Embedded in pages.
  vcpkg_download_distfile(chart_js
    URLS "https://registry.npmjs.org/chart.js/-/chart.js-3.9.1.tgz"
    FILENAME "chart.js-3.9.1.tgz"
    SHA512 468d896cb9af83cde05c5e45e2c9e2690fa54db4afd7c13e4c87f670e7a21f522a7763c614eb5e9be0d4b9f319b02270144ef2c0f3a97d7141c114c6abb761eb)
  vcpkg_extract_source_archive(chart_js_path ARCHIVE "${chart_js}")
  list(APPEND features "-DCHART_JS=${chart_js_path}/dist/chart.min.js"
    "-DMUSTACHE_INCLUDE_DIR=${CURRENT_INSTALLED_DIR}/include")
endif()

vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}" OPTIONS ${features} -DOCTAVO_TESTS=OFF -DOCTAVO_BENCH=OFF
  MAYBE_UNUSED_VARIABLES CHART_JS MUSTACHE_INCLUDE_DIR)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/octavo)
vcpkg_fixup_pkgconfig()
if("apps" IN_LIST FEATURES)
  vcpkg_copy_tools(TOOL_NAMES octavo octavo-decode octavo-encode AUTO_CLEAN)
endif()

file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/share/doc")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")

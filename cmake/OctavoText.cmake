# Text files that are embedded in a library: the parts of pages.

# octavo_text(TARGET FILE...): adds each FILE (of the current folder, or an absolute path) to TARGET as
# `const std::string_view octavo::NAME`, where NAME is the file's name with _ for anything but letters and digits:
# page.html is octavo::page_html. A change of the file rebuilds the targets that depend on it.
function(octavo_text target)
  set(script ${PROJECT_SOURCE_DIR}/cmake/EmbedText.cmake)
  foreach(file ${ARGN})
    cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE path)
    cmake_path(GET path FILENAME file_name)
    string(MAKE_C_IDENTIFIER ${file_name} name)
    set(embedded ${CMAKE_CURRENT_BINARY_DIR}/text/${file_name}.cc)
    add_custom_command(OUTPUT ${embedded}
      COMMAND ${CMAKE_COMMAND} -D TEXT=${path} -D NAME=${name} -D OUTPUT=${embedded} -P ${script}
      DEPENDS ${path} ${script} COMMENT "Embedding ${file_name}" VERBATIM)
    target_sources(${target} PRIVATE ${embedded})
    octavo_embedded(${embedded})
  endforeach()
endfunction()

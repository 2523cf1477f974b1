# Text files that are embedded in a library or program: the parts of pages, manuals.

# octavo_text(TARGET FILE...): adds each FILE (of the current folder, or an absolute path) to TARGET as
# `const std::string_view octavo::NAME`, where NAME is the file's name with _ for anything but letters and digits:
# page.html is octavo::page_html. A change of a file compiles one source anew, that of all of TARGET's texts.
function(octavo_text target)
  set(script ${PROJECT_SOURCE_DIR}/cmake/EmbedText.cmake)
  set(embedded ${CMAKE_CURRENT_BINARY_DIR}/${target}_text.cc)
  set(files "")
  foreach(file IN LISTS ARGN)
    cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    list(APPEND files ${file})
  endforeach()
  add_custom_command(OUTPUT ${embedded}
    COMMAND ${CMAKE_COMMAND} -D "TEXTS=${files}" -D OUTPUT=${embedded} -P ${script}
    DEPENDS ${files} ${script} COMMENT "Embedding the texts of ${target}" VERBATIM)
  target_sources(${target} PRIVATE ${embedded})
  octavo_embedded(${embedded})
endfunction()

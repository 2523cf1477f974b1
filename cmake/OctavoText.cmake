# Text files that the program carries with it: templates of pages, scripts for other programs.

set(octavo_text_template [[
#include <string_view>

namespace octavo {
extern const std::string_view @name@;
const std::string_view @name@ = R"octavo(@content@)octavo";
}  // namespace octavo
]])

# octavo_text(TARGET FILE): adds FILE of the current folder to TARGET as `const std::string_view octavo::NAME`, where
# NAME is the file's name with _ for anything but letters and digits: page.html is octavo::page_html.
function(octavo_text target file)
  set(path ${CMAKE_CURRENT_SOURCE_DIR}/${file})
  set(embedded ${CMAKE_CURRENT_BINARY_DIR}/${file}.cc)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
  get_filename_component(name ${file} NAME)
  string(MAKE_C_IDENTIFIER ${name} name)
  file(READ ${path} content)
  string(CONFIGURE "${octavo_text_template}" code @ONLY)
  file(CONFIGURE OUTPUT ${embedded} CONTENT "@code@" @ONLY)
  target_sources(${target} PRIVATE ${embedded})
endfunction()

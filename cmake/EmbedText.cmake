# Writes OUTPUT, a C++ file that defines `const std::string_view octavo::NAME` for each of the files TEXTS. Run with
# cmake -P.

cmake_minimum_required(VERSION 3.25)
set(code "#include <string_view>\n\nnamespace octavo {\n")
foreach(file IN LISTS TEXTS)
  file(READ ${file} content)
  cmake_path(GET file FILENAME name)
  string(MAKE_C_IDENTIFIER ${name} name)
  string(APPEND code "extern const std::string_view ${name};\n"
    "const std::string_view ${name} = R\"octavo(${content})octavo\";\n")
endforeach()
file(WRITE ${OUTPUT} "${code}}  // namespace octavo\n")

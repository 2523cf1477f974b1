# Writes OUTPUT, a C++ file that defines `const std::string_view octavo::NAME`: the text of the file TEXT. Run with
# cmake -P.

cmake_minimum_required(VERSION 3.25)
file(READ ${TEXT} content)
file(WRITE ${OUTPUT} "#include <string_view>\n\nnamespace octavo {\nextern const std::string_view ${NAME};\n"
  "const std::string_view ${NAME} = R\"octavo(${content})octavo\";\n}  // namespace octavo\n")

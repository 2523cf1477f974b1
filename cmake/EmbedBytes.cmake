# Writes OUTPUT, a C++ file that defines `const std::span<const unsigned char> octavo::NAME`: the bytes of FILE. Run with
# cmake -P.

cmake_minimum_required(VERSION 3.25)
file(READ ${FILE} digits HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${digits}")
file(WRITE ${OUTPUT} "#include <span>\n\nnamespace octavo {\nnamespace {\nconstexpr unsigned char bytes[] = {${bytes}};\n}\n"
  "extern const std::span<const unsigned char> ${NAME};\n"
  "const std::span<const unsigned char> ${NAME}(bytes);\n}  // namespace octavo\n")

# Writes OUTPUT, a C++ file that defines `const KernelModule& FOLDER_kernels()`. The module holds the text of ROOT with
# its includes expanded, and the bytes of FATBIN, if there is one. As in a compiler, a file with `#pragma once` is
# included once, any other file at every include. Also writes DEPFILE, which lists the included files as a rule for
# make. Run with cmake -P.

cmake_minimum_required(VERSION 3.25)
set(seen "")
set(text "")

function(expand file)
  file(READ ${file} content)
  if(file IN_LIST seen AND content MATCHES "(^|\n)#pragma once\n")
    return()
  endif()
  list(APPEND seen ${file})
  cmake_path(GET file PARENT_PATH folder)
  # Semicolons and brackets would end list elements, so the text is not made a list. Lines are taken from its front.
  while(NOT content STREQUAL "")
    string(FIND "${content}" "\n" end)
    if(end EQUAL -1)
      set(line "${content}")
      set(content "")
    else()
      string(SUBSTRING "${content}" 0 ${end} line)
      math(EXPR next "${end} + 1")
      string(SUBSTRING "${content}" ${next} -1 content)
    endif()
    if(line MATCHES "^#include \"(.*)\"$")
      set(included ${folder}/${CMAKE_MATCH_1})
      if(NOT EXISTS ${included})
        set(included ${SOURCES}/${CMAKE_MATCH_1})
      endif()
      expand(${included})
    elseif(NOT line MATCHES "^#pragma once$" AND NOT line MATCHES "^ *//")
      string(APPEND text "${line}\n")
    endif()
  endwhile()
  set(seen "${seen}" PARENT_SCOPE)
  set(text "${text}" PARENT_SCOPE)
endfunction()
expand(${ROOT})

set(code "#include \"engine/device/gpu.h\"\n\n")
if(FATBIN)
  string(APPEND code "asm(R\"(\n.pushsection .rodata\n.balign 16\n.global octavo_${FOLDER}_fatbin\n.global octavo_${FOLDER}_fatbin_end\n"
    "octavo_${FOLDER}_fatbin:\n.incbin \"${FATBIN}\"\noctavo_${FOLDER}_fatbin_end:\n.popsection\n)\");\n"
    "extern \"C\" const unsigned char octavo_${FOLDER}_fatbin[], octavo_${FOLDER}_fatbin_end[];\n\n")
  set(fatbin "octavo_${FOLDER}_fatbin")
  set(bytes "static_cast<std::size_t>(octavo_${FOLDER}_fatbin_end - octavo_${FOLDER}_fatbin)")
else()
  set(fatbin "nullptr")
  set(bytes "0")
endif()
string(APPEND code "namespace octavo {\n\nconst KernelModule& ${FOLDER}_kernels() {\n"
  "  static const KernelModule module{\"${FOLDER}\", R\"octavo(${text})octavo\",\n"
  "                                   ${fatbin}, ${bytes}};\n  return module;\n}\n\n}  // namespace octavo\n")
file(WRITE ${OUTPUT} "${code}")

# In a rule for make, spaces and number signs in names are escaped, and dollar signs are doubled.
list(REMOVE_DUPLICATES seen)
set(rule ${OUTPUT} ${seen})
list(TRANSFORM rule REPLACE "([ #])" "\\\\\\1")
list(TRANSFORM rule REPLACE "[$]" "$$$$")
list(POP_FRONT rule target)
list(JOIN rule " " sources)
file(WRITE ${DEPFILE} "${target}: ${sources}\n")

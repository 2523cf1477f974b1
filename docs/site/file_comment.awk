# The paragraph that says what a header is about stands before its namespace, as an ordinary comment. Doxygen gets it as the
# documentation of the file. The numbers of lines stay as they are.
{ lines[NR] = $0 }
/^namespace/ && !found {
  found = 1
  for (first = NR - 1; lines[first] == ""; --first);
  for (last = first; lines[first] ~ /^\/\/ /; --first) sub(/^\/\//, "///", lines[first])
  if (first < last && lines[first] == "") lines[first] = "/// @file"
}
END { for (line = 1; line <= NR; ++line) print lines[line] }

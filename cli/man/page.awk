# Makes a page of man of the text that `octavo COMMAND --help` prints (cli/manual.cc). The text is read by its layout: a
# heading stands at the margin and ends with a colon; an option stands two columns in, and its description six. Behind the
# options a line at the margin belongs to a paragraph, and an indented line is a row of a table, of code or of an example.
# What groff would set as other characters (hyphens, quotes, backslashes) is escaped.
#
# Variables: version, date; below: the commands below this one, as "video-frames video-index"; above: the one above.

# Text that groff fills.
function escaped(text) {
  gsub(/\\/, "\\e", text)
  gsub(/--/, "\\-\\-", text)
  return folded(text)
}

# Text in lines of at most 80 columns.
function folded(text,    lines, line, count, words, i) {
  count = split(text, words, " ")
  for (i = 1; i <= count; ++i) {
    if (line != "" && length(line) + length(words[i]) >= 80) {
      lines = lines guarded(line) "\n"
      line = ""
    }
    line = line (line == "" ? "" : " ") words[i]
  }
  return lines guarded(line)
}

# Text in which every character counts.
function literal(text) {
  gsub(/\\/, "\\e", text)
  gsub(/-/, "\\-", text)
  gsub(/'/, "\\(aq", text)
  gsub(/`/, "\\(ga", text)
  gsub(/\^/, "\\(ha", text)
  gsub(/~/, "\\(ti", text)
  return guarded(text)
}

# A line that begins with a dot or an apostrophe would be a request.
function guarded(text) { return text ~ /^[.']/ ? "\\&" text : text }

function heading(title, kind) {
  unfinished("")
  print kind " \"" escaped(title) "\""
  fresh = 1
}

# Ends the block in work if it is not of this kind.
function unfinished(kind) {
  if (block == "rows" && kind != "rows") print ".fi\n.in"
  block = kind
}

# "-o, --output DIR" with its names bold and its value in italics.
function head(text,    at, names, value) {
  at = match(text, /: | [^ -][^ ]*$/)
  names = at ? substr(text, 1, at - 1) : text
  value = at ? substr(text, at) : ""
  names = literal(names)
  gsub(/, /, "\\fR, \\fB", names)
  if (value != "") { sub(/^:? /, "", value); value = literal(value); gsub(/\|/, "|\\:", value); value = " \\fI" value "\\fR" }
  return "\\fB" names "\\fR" value
}

function finish_head() { if (pending != "") print ".TP\n" head(pending); pending = "" }

NR == 1 {
  split($0, parts, " - ")
  command = parts[1]
  name = command
  gsub(/ /, "-", name)
  printf ".TH \"%s\" 1 \"%s\" \"Octavo %s\" \"Octavo\"\n", literal(toupper(name)), date, version
  print ".nh\n.ad l\n.SH NAME\n" folded(literal(name) " \\- " substr($0, length(command) + 4))
  part = "description"
  next
}

part == "description" && /^Usage: / {
  usage = substr($0, 8)
  print ".SH SYNOPSIS\n\\fB" literal(command) "\\fR" literal(substr(usage, length(command) + 1))
  print ".SH DESCRIPTION"
  print about
  part = "options"
  next
}

part == "description" {
  if ($0 != "") about = about (about == "" ? "" : blank ? "\n.PP\n" : "\n") escaped($0)
  blank = $0 == ""
  next
}

part == "options" && /^(Arguments|Options|Commands|[A-Z].* options|Options for .*):$/ {
  finish_head()
  title = substr($0, 1, length($0) - 1)
  is_list = title == "Commands"
  heading(is_list || title == "Arguments" ? toupper(title) : title == "Options" ? "OPTIONS" : title,
          is_list || title == "Arguments" || title == "Options" ? ".SH" : ".SS")
  next
}

part == "options" && is_list && /^  [^ ]/ { print ".TP\n\\fB" $1 "\\fR\n" escaped(substr($0, 15)); next }
part == "options" && /^      / && pending ~ /\|$/ { pending = pending substr($0, 7); next }
part == "options" && /^      / { finish_head(); print escaped(substr($0, 7)); next }
part == "options" && /^  [^ ]/ { finish_head(); pending = substr($0, 3); next }
part == "options" && /^$/ { finish_head(); blank = 1; next }
part == "options" { part = "footer"; blank = 1; if ($0 !~ /:$/) heading("NOTES", ".SH") }

/^$/ { blank = 1; next }

blank && /^[A-Z].*:$/ && length($0) <= 52 {
  heading(toupper(substr($0, 1, length($0) - 1)), ".SH")
  blank = 0
  next
}

/^Results go to the standard output\./ { heading("STREAMS", ".SH") }

/^ / {
  if (block != "rows") { print (fresh ? "" : ".PP\n") ".in 2n\n.nf"; block = "rows" }
  else if (blank) print ""
  print literal(substr($0, 3))
  blank = fresh = 0
  next
}

{
  if (block != "text" || blank) {
    unfinished("text")
    if (!fresh) print ".PP"
  }
  print escaped($0)
  blank = fresh = 0
}

END {
  unfinished("")
  print ".SH SEE ALSO"
  count = split((above == "" ? "" : above " ") below, others, " ")
  if (!count) others[count = 1] = "octavo"
  for (i = 1; i <= count; ++i) printf ".BR %s (1)%s\n", literal(others[i]), i < count ? " ," : ""
}

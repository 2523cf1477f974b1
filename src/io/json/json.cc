#include "io/json/json.h"

#include <algorithm>
#include <array>
#include <istream>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>

namespace octavo {
namespace {

using Library = nlohmann::ordered_json;  // the type of nlohmann-json's parser and writer

// Makes values of what the parser finds.
class Builder final : public nlohmann::json_sax<Library> {
 public:
  // Of an object, `only` this member, if it is not empty. A value in more than `deepest` lists ends it.
  explicit Builder(std::string_view only = {}, std::size_t deepest = std::numeric_limits<std::size_t>::max())
      : only_(only), deepest_(deepest) {}

  bool null() override { return add({}); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(std::int64_t value) override { return add(value); }
  bool number_unsigned(std::uint64_t value) override { return add(value); }
  bool number_float(double value, const std::string&) override { return add(value); }
  bool string(std::string& value) override { return add(value); }
  bool binary(Library::binary_t&) override { return false; }  // no text has it
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_array() override { return close(); }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool end_object() override { return close(); }
  bool key(std::string& name) override {
    Json* const object = open_.back();
    const bool is_wanted = only_.empty() || open_.size() > 1 || name == only_;
    member_ = object != nullptr && is_wanted ? &(*object)[name] : nullptr;
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const Library::exception& error) override {
    error_ = error.what();
    return false;
  }

  [[nodiscard]] Json& value() { return value_; }
  [[nodiscard]] const std::string& error() const { return error_; }

 private:
  // Where the next value belongs; nullptr if it is not wanted.
  [[nodiscard]] Json* place() {
    if (open_.empty()) return &value_;
    Json* const list = open_.back();
    if (list == nullptr) return nullptr;
    return list->is_array() ? &list->push_back({}) : member_;
  }
  bool add(Json value) {
    if (open_.size() > deepest_) return false;
    if (Json* const here = place()) *here = std::move(value);
    return true;
  }
  bool open(Json list) {
    if (open_.size() > deepest_) return false;
    Json* const here = place();
    if (here != nullptr) *here = std::move(list);
    open_.push_back(here);
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  std::string_view only_;
  std::size_t deepest_;
  Json value_;
  std::string error_;
  std::vector<Json*> open_;  // the lists around the next value; nullptr if it is not wanted
  Json* member_ = nullptr;   // the place of the next value, if it is one of an object
};

// Writes values. The library writes their numbers and strings into the same text.
class Writer {
 public:
  Writer(std::string& text, int indent)
      : text_(text),
        indent_(indent),
        library_(nlohmann::detail::output_adapter<char>(text), ' ', Library::error_handler_t::replace) {}

  void write(const Json& json, std::size_t level = 0) {
    if (json.is_array()) {
      const auto write_element = [&](const Json& element) { write(element, level + 1); };
      write_list('[', std::span(json.begin(), json.end()), ']', level, write_element);
    } else if (json.is_object()) {
      const auto write_member = [&](const JsonMember& member) {
        write_string(member.name);
        text_ += indent_ < 0 ? ":" : ": ";
        write(member.value, level + 1);
      };
      write_list('{', std::span(json.items()), '}', level, write_member);
    } else if (json.is_string()) {
      write_string(json.string());
    } else if (json.is_natural()) {
      write_scalar(json.get<std::uint64_t>());
    } else if (json.is_integer()) {
      write_scalar(json.get<std::int64_t>());
    } else if (json.is_number()) {
      write_scalar(json.get<double>());
    } else {
      text_ += json.is_null() ? "null" : json.get<bool>() ? "true" : "false";
    }
  }

 private:
  template <class Element, class Write>
  void write_list(char open, std::span<const Element> list, char close, std::size_t level, const Write& write_one) {
    text_ += open;
    for (const Element& one : list) {
      if (&one != list.data()) text_ += ',';
      begin_line(level + 1);
      write_one(one);
    }
    if (!list.empty()) begin_line(level);
    text_ += close;
  }
  void begin_line(std::size_t level) {
    if (indent_ < 0) return;
    text_ += '\n';
    text_.append(level * static_cast<std::size_t>(indent_), ' ');
  }
  void write_scalar(const Library& value) { library_.dump(value, false, false, 0); }
  void write_string(const std::string& value) {
    const auto is_plain = [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; };
    if (std::ranges::all_of(value, is_plain)) {  // nearly all: names, and the images of pages
      (text_ += '"').append(value) += '"';
    } else {
      string_.get_ref<std::string&>() = value;
      write_scalar(string_);
    }
  }

  std::string& text_;
  int indent_;
  nlohmann::detail::serializer<Library> library_;
  Library string_ = "";
};

}  // namespace

Json::Json(std::string text) : type_(Type::string) { content_.string = new std::string(std::move(text)); }
Json::Json(std::string_view text) : Json(std::string(text)) {}
Json::Json(const char* text) : Json(std::string(text)) {}

Json::Json(std::initializer_list<JsonItem> items) {
  const bool is_object = std::all_of(items.begin(), items.end(), [](const JsonItem& item) {
    const Json& value = item.value();
    return value.is_array() && value.size() == 2 && value.front().is_string();
  });
  if (!is_object) {
    *this = array(items);
    return;
  }
  *this = object();
  content_.object->reserve(items.size());
  for (const JsonItem& item : items) {
    std::vector<Json>& pair = *item.value().content_.array;
    content_.object->push_back({std::move(*pair[0].content_.string), std::move(pair[1])});
  }
}

Json::Json(const Json& other) : type_(other.type_), content_(other.content_) {
  if (type_ == Type::string) content_.string = new std::string(*other.content_.string);
  if (type_ == Type::array) content_.array = new std::vector<Json>(*other.content_.array);
  if (type_ == Type::object) content_.object = new std::vector<JsonMember>(*other.content_.object);
}

// Lists in lists go one after the other: by recursion, deep ones would overflow the stack.
void Json::release() {
  std::vector<Json> lists;
  move_lists_to(lists);
  while (!lists.empty()) {
    Json list = std::move(lists.back());
    lists.pop_back();
    list.move_lists_to(lists);
  }
  if (type_ == Type::string) delete content_.string;
  if (type_ == Type::array) delete content_.array;
  if (type_ == Type::object) delete content_.object;
}

void Json::move_lists_to(std::vector<Json>& lists) {
  const auto move = [&](Json& value) {
    if (value.is_array() || value.is_object()) lists.push_back(std::move(value));
  };
  if (is_array()) std::ranges::for_each(*content_.array, move);
  if (is_object()) std::ranges::for_each(*content_.object, move, &JsonMember::value);
}

Json Json::array() {
  Json json;
  json.content_.array = new std::vector<Json>;
  json.type_ = Type::array;
  return json;
}

Json Json::array(std::initializer_list<JsonItem> items) {
  Json json = array();
  json.content_.array->reserve(items.size());
  for (const JsonItem& item : items) json.push_back(std::move(item.value()));
  return json;
}

Json Json::object() {
  Json json;
  json.content_.object = new std::vector<JsonMember>;
  json.type_ = Type::object;
  return json;
}

bool Json::operator==(const Json& other) const {
  if (is_number() && other.is_number()) {
    if (!is_integer() || !other.is_integer()) return get<double>() == other.get<double>();
    const bool is_negative = !is_natural() && content_.integer < 0;
    const bool is_other_negative = !other.is_natural() && other.content_.integer < 0;
    return is_negative == is_other_negative && get<std::uint64_t>() == other.get<std::uint64_t>();
  }
  if (type_ != other.type_) return false;
  switch (type_) {
    case Type::boolean:
      return content_.boolean == other.content_.boolean;
    case Type::string:
      return *content_.string == *other.content_.string;
    case Type::array:
      return *content_.array == *other.content_.array;
    case Type::object:
      return *content_.object == *other.content_.object;
    default:
      return true;
  }
}

const std::string& Json::string() const {
  if (!is_string()) refuse("string");
  return *content_.string;
}

bool Json::boolean() const {
  if (type_ != Type::boolean) refuse("boolean");
  return content_.boolean;
}

std::size_t Json::size() const {
  return is_array() ? content_.array->size() : is_object() ? content_.object->size() : 0;
}

const Json* Json::begin() const {
  if (!is_array()) refuse("array");
  return content_.array->data();
}

const Json* Json::end() const { return begin() + size(); }

const Json& Json::at(std::size_t index) const {
  const Json* const elements = begin();
  if (index >= size())
    throw exception("[json.exception.out_of_range.401] array index " + std::to_string(index) + " is out of range");
  return elements[index];
}

Json& Json::operator[](std::size_t index) { return const_cast<Json&>(at(index)); }

Json& Json::push_back(Json element) {
  if (is_null()) *this = array();
  if (!is_array()) refuse("array");
  return content_.array->emplace_back(std::move(element));
}

const std::vector<JsonMember>& Json::items() const {
  if (!is_object()) refuse("object");
  return *content_.object;
}

std::vector<JsonMember>& Json::items() {
  if (!is_object()) refuse("object");
  return *content_.object;
}

const Json& Json::at(std::string_view name) const {
  if (!is_object()) refuse("object");
  const Json* const found = find(name);
  if (found == nullptr) throw exception("[json.exception.out_of_range.403] key '" + std::string(name) + "' not found");
  return *found;
}

Json& Json::operator[](std::string_view name) {
  if (is_null()) *this = object();
  for (JsonMember& member : items()) {
    if (member.name == name) return member.value;
  }
  content_.object->push_back({std::string(name), {}});
  return content_.object->back().value;
}

const Json* Json::find(std::string_view name) const {
  if (!is_object()) return nullptr;
  const auto found = std::ranges::find(*content_.object, name, &JsonMember::name);
  return found == content_.object->end() ? nullptr : &found->value;
}

void Json::update(Json other) {
  for (JsonMember& member : other.items()) (*this)[member.name] = std::move(member.value);
}

void Json::erase(std::string_view name) {
  std::erase_if(items(), [&](const JsonMember& member) { return member.name == name; });
}

void Json::refuse(const char* wanted) const {
  constexpr std::array names{"null", "boolean", "number", "number", "number", "string", "array", "object"};
  throw exception(std::string("[json.exception.type_error.302] type must be ") + wanted + ", but is " +
                  names[static_cast<std::size_t>(type_)]);
}

Json parse_json(std::string_view text) {
  Builder builder;
  if (!Library::sax_parse(text, &builder)) throw Json::exception(builder.error());
  return std::move(builder.value());
}

Json shallow_json(std::string_view text) {
  Builder builder({}, 16);
  return Library::sax_parse(text, &builder) ? std::move(builder.value()) : Json();
}

Json member_of(std::istream& stream, std::string_view name) {
  Builder builder(name);
  if (!Library::sax_parse(stream, &builder)) return {};
  Json& object = builder.value();
  return object.contains(name) ? std::move(object[name]) : Json();
}

std::string json_text(const Json& json, int indent) {
  std::string text;
  Writer(text, indent).write(json);
  return text;
}

}  // namespace octavo

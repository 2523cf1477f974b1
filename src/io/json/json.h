// JSON of Octavo's files and pages, and of the messages between its processes.
// Many files include this one, so it is short. nlohmann-json, which takes seconds to compile, parses and writes behind
// it, in json.cc alone.

#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace octavo {

class JsonItem;
struct JsonMember;

template <class Value>
concept JsonNumber = std::is_arithmetic_v<Value>;

template <class Value>
concept JsonList = requires(const Value& list) {
  list.begin();
  list.end();
};

/// A value: null, a boolean, a number, a string, an array, or an object, whose members keep their order.
///
/// Values are made where they are needed, so most constructors are implicit. In braces, pairs of a string and a value
/// make an object, other values an array: `Json{{"image", name}, {"size", {width, height}}}`.
class Json {
 public:
  /// Text is no JSON, or a value is not what it is used as.
  struct exception : std::runtime_error {
    using std::runtime_error::runtime_error;
  };

  // NOLINTBEGIN(google-explicit-constructor,bugprone-forwarding-reference-overload): a JsonItem is no Json
  Json() noexcept = default;  ///< null
  Json(std::nullptr_t) noexcept {}
  template <JsonNumber Number>
  Json(Number number) noexcept {
    if constexpr (std::is_same_v<Number, bool>) {
      type_ = Type::boolean;
      content_.boolean = number;
    } else if constexpr (std::is_floating_point_v<Number>) {
      type_ = Type::real;
      content_.real = number;
    } else if constexpr (std::is_signed_v<Number>) {
      type_ = Type::integer;
      content_.integer = number;
    } else {
      type_ = Type::natural;
      content_.natural = number;
    }
  }
  /// Strings are UTF-8; json_text replaces what is not.
  Json(std::string text);
  Json(std::string_view text);
  Json(const char* text);
  Json(std::initializer_list<JsonItem> items);
  /// An array of the elements of a container.
  template <JsonList List>
  Json(const List& list) : Json(array()) {
    for (const auto& element : list) push_back(element);
  }
  // NOLINTEND(google-explicit-constructor,bugprone-forwarding-reference-overload)

  Json(const Json& other);
  Json(Json&& other) noexcept : type_(std::exchange(other.type_, Type::null)), content_(other.content_) {}
  Json& operator=(Json other) noexcept {
    std::swap(type_, other.type_);
    std::swap(content_, other.content_);
    return *this;
  }
  ~Json() {
    if (type_ >= Type::string) release();
  }

  static Json array();
  static Json array(std::initializer_list<JsonItem> items);
  static Json object();

  [[nodiscard]] bool is_null() const { return type_ == Type::null; }
  [[nodiscard]] bool is_number() const { return is_integer() || type_ == Type::real; }
  [[nodiscard]] bool is_integer() const { return type_ == Type::integer || is_natural(); }
  [[nodiscard]] bool is_natural() const { return type_ == Type::natural; }  ///< an integer that was unsigned
  [[nodiscard]] bool is_string() const { return type_ == Type::string; }
  [[nodiscard]] bool is_array() const { return type_ == Type::array; }
  [[nodiscard]] bool is_object() const { return type_ == Type::object; }

  /// Numbers are equal if their values are. Objects are if their members are, in the same order.
  bool operator==(const Json& other) const;

  /// As a boolean, a number (converted like one of C++), a string, or a vector of these. Throws Json::exception.
  template <class Value>
  [[nodiscard]] Value get() const {
    if constexpr (std::is_same_v<Value, bool>) {
      return boolean();
    } else if constexpr (std::is_arithmetic_v<Value>) {
      return number<Value>();
    } else if constexpr (std::is_same_v<Value, std::string>) {
      return string();
    } else {
      Value values;
      for (const Json& element : *this) values.push_back(element.get<typename Value::value_type>());
      return values;
    }
  }
  template <class Value>
  void get_to(Value& value) const {
    value = get<Value>();
  }
  /// Throws Json::exception if it is no string.
  [[nodiscard]] const std::string& string() const;

  /// The number of elements or members, 0 of other values.
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] bool empty() const { return size() == 0; }

  /// The elements of an array. Throws Json::exception for another value.
  [[nodiscard]] const Json* begin() const;
  [[nodiscard]] const Json* end() const;
  [[nodiscard]] const Json& front() const { return at(std::size_t{0}); }
  [[nodiscard]] Json& back() { return (*this)[size() - 1]; }
  [[nodiscard]] const Json& at(std::size_t index) const;
  [[nodiscard]] const Json& operator[](std::size_t index) const { return at(index); }
  [[nodiscard]] Json& operator[](std::size_t index);
  /// Null becomes an array.
  Json& push_back(Json element);

  /// The members of an object. Throws Json::exception for another value.
  [[nodiscard]] const std::vector<JsonMember>& items() const;
  [[nodiscard]] std::vector<JsonMember>& items();
  /// The member of this name. Throws Json::exception if there is none.
  [[nodiscard]] const Json& at(std::string_view name) const;
  [[nodiscard]] const Json& operator[](std::string_view name) const { return at(name); }
  /// The member of this name, which becomes null if there was none. Null becomes an object.
  Json& operator[](std::string_view name);
  /// The member of this name; nullptr if there is none, or this is no object.
  [[nodiscard]] const Json* find(std::string_view name) const;
  [[nodiscard]] bool contains(std::string_view name) const { return find(name) != nullptr; }
  /// The member of this name, or another value if there is none. Throws Json::exception if it is of another type.
  template <class Value>
  [[nodiscard]] Value value(std::string_view name, Value otherwise) const {
    const Json* const found = find(name);
    return found == nullptr ? otherwise : found->get<Value>();
  }
  /// Sets the members that another object has. Null becomes an object.
  void update(Json other);
  void erase(std::string_view name);

 private:
  // The last three own memory.
  enum class Type : std::uint8_t { null, boolean, integer, natural, real, string, array, object };
  union Content {
    bool boolean;
    std::int64_t integer;
    std::uint64_t natural;
    double real;
    std::string* string;
    std::vector<Json>* array;
    std::vector<JsonMember>* object;
  };

  [[noreturn]] void refuse(const char* wanted) const;
  [[nodiscard]] bool boolean() const;
  template <class Number>
  [[nodiscard]] Number number() const {
    if (type_ == Type::integer) return static_cast<Number>(content_.integer);
    if (type_ == Type::natural) return static_cast<Number>(content_.natural);
    if (type_ == Type::real) return static_cast<Number>(content_.real);
    refuse("number");
  }
  void release();  // what it owns
  void move_lists_to(std::vector<Json>& lists);

  Type type_ = Type::null;
  Content content_{};
};

struct JsonMember {
  std::string name;
  Json value;

  bool operator==(const JsonMember& other) const = default;
};

/// A value in braces. It can be moved from there, which elements of an initializer_list otherwise cannot.
class JsonItem {
 public:
  // NOLINTBEGIN(google-explicit-constructor,bugprone-forwarding-reference-overload): a JsonItem is no Json
  template <std::convertible_to<Json> Value>
  JsonItem(Value&& value) : value_(std::forward<Value>(value)) {}
  JsonItem(std::initializer_list<JsonItem> items) : value_(items) {}
  // NOLINTEND(google-explicit-constructor,bugprone-forwarding-reference-overload)

  [[nodiscard]] Json& value() const { return value_; }

 private:
  mutable Json value_;
};

/// JSON of any depth. Throws Json::exception: a number may also be too large.
Json parse_json(std::string_view text);

/// JSON of a file that may come from anywhere; null if it is damaged or nested deeper than the files of Octavo.
/// Values are written and copied by recursion, so that deep ones would overflow the stack.
Json shallow_json(std::string_view text);

/// A member of the object in a file, without room for the others; null if it is not there or the file is damaged.
Json member_of(std::istream& stream, std::string_view name);

/// The text, or null if it is empty.
inline Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

/// UTF-8, on one line or with `indent` spaces for each level. Bytes that are not UTF-8, which file names may contain,
/// become U+FFFD. Numbers have the fewest digits that give their double; those that are not finite become null.
std::string json_text(const Json& json, int indent = -1);

}  // namespace octavo

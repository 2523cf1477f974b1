// The library keeps a stack of errors, which it prints unless it is told not to; its innermost entry says what went
// wrong. Times of changes are left out of the file, so that the same content gives the same bytes. Files have the
// oldest version of the format that holds their content, which every reader knows.

#include "io/features/hdf5_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <new>
#include <system_error>

#include "octavo/error.h"

namespace octavo::io {
namespace {

// Keeps the library from printing while it lives.
class Quiet {
 public:
  Quiet() {
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Quiet() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

// The innermost error of the last call.
std::string last_error() {
  std::string sentence;
  const auto take = [](unsigned, const H5E_error2_t* error, void* into) -> herr_t {
    *static_cast<std::string*>(into) = error->desc == nullptr ? "" : error->desc;
    return 1;  // stop
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take, &sentence);
  return sentence.empty() ? "the data are damaged" : sentence;
}

// Another process may look at the file; octavo::OutputFile has its own lock.
Hdf5Id access_without_lock() {
  Hdf5Id access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_file_locking(access.get(), false, true);
  return access;
}

// Whether values are whole numbers that fill 1, 2, 4 or 8 bytes, or IEEE 754's of 2, 4 or 8 bytes. The library converts
// others too, bit by bit as the file says, which a damaged file may say wrongly.
bool has_numbers(hid_t type) {
  const H5T_class_t kind = H5Tget_class(type);
  const std::size_t size = H5Tget_size(type);
  if ((kind != H5T_INTEGER && kind != H5T_FLOAT) || H5Tget_precision(type) != 8 * size || H5Tget_offset(type) != 0) {
    return false;
  }
  if (kind == H5T_INTEGER) return size <= 8 && std::has_single_bit(size);
  std::size_t sign = 0, exponent = 0, exponent_bits = 0, mantissa = 0, mantissa_bits = 0;
  if (H5Tget_fields(type, &sign, &exponent, &exponent_bits, &mantissa, &mantissa_bits) < 0) return false;
  const std::size_t wanted = size == 2 ? 5 : size == 4 ? 8 : size == 8 ? 11 : 0;
  return wanted > 0 &&
         std::array{mantissa, mantissa_bits, exponent, exponent_bits, sign} ==
             std::array{std::size_t{0}, 8 * size - 1 - wanted, 8 * size - 1 - wanted, wanted, 8 * size - 1};
}

// How many numbers a chunk has; 0 if there are no chunks.
double numbers_of_chunk(hid_t data_set) {
  const Hdf5Id creation(H5Dget_create_plist(data_set), H5Pclose);
  if (H5Pget_layout(creation.get()) != H5D_CHUNKED) return 0;
  std::array<hsize_t, H5S_MAX_RANK> sides{};
  const int rank = H5Pget_chunk(creation.get(), static_cast<int>(sides.size()), sides.data());
  double numbers = 1;
  for (int i = 0; i < rank; ++i) numbers *= static_cast<double>(sides[static_cast<std::size_t>(i)]);
  return numbers;
}

// A file that could not be written cannot be closed well either, which has been told.
herr_t close_quietly(hid_t file) {
  const Quiet quiet;
  return H5Fclose(file);
}

hid_t opened(const std::filesystem::path& file, Hdf5File::Mode mode) {
  // The library would close what it could not write once more when the process ends, and crash.
  H5dont_atexit();
  const Quiet quiet;
  const Hdf5Id access = access_without_lock();
  if (mode == Hdf5File::Mode::memory) {
    constexpr std::size_t grows_by = std::size_t{1} << 20;
    H5Pset_fapl_core(access.get(), grows_by, false);
    return H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get());
  }
  if (mode == Hdf5File::Mode::create) return H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get());
  return H5Fopen(file.c_str(), mode == Hdf5File::Mode::read ? H5F_ACC_RDONLY : H5F_ACC_RDWR, access.get());
}

}  // namespace

Hdf5File::Hdf5File(const std::filesystem::path& file, std::string name, Mode mode)
    : name_(std::move(name)), reads_(mode == Mode::read), file_(opened(file, mode), close_quietly) {
  const Quiet quiet;
  std::error_code unknown;
  if (mode == Mode::read && !std::filesystem::exists(file, unknown)) refuse("there is no such file");
  if (file_.get() < 0) refuse("it is no HDF5 file, or damaged (" + last_error() + ")");
}

void Hdf5File::refuse(const std::string& why) const {
  throw Error(ErrorCode::file_error, std::string("cannot ") + (reads_ ? "read" : "write") + " '" + name_ + "': " + why);
}

template <class Result>
Result Hdf5File::require(Result result, const std::string& what) const {
  if (result < 0) refuse(what + ": " + last_error());
  return result;
}

bool Hdf5File::has(const std::string& path) const {
  const Quiet quiet;
  // The library asks for the existence of each group on the way.
  for (std::size_t end = path.find('/'); end != std::string::npos; end = path.find('/', end + 1)) {
    if (end > 0 && require(H5Lexists(file_.get(), path.substr(0, end).c_str(), H5P_DEFAULT), path) == 0) return false;
  }
  return require(H5Lexists(file_.get(), path.c_str(), H5P_DEFAULT), path) > 0;
}

void Hdf5File::survey_data_set(const std::string& path) const try {
  const Hdf5Id opened = data_set(path);
  const Hdf5Id creation(H5Dget_create_plist(opened.get()), H5Pclose);
  if (H5Pget_layout(creation.get()) != H5D_CONTIGUOUS) {
    static_cast<void>(read_floats(path));
  } else {
    static_cast<void>(count_of(opened.get(), path));
  }
} catch (const Error&) {
  // The other data sets can be read.
} catch (const std::bad_alloc&) {
  // A reader will find out too.
}

void Hdf5File::survey() const {
  const auto look_at_attribute = [](hid_t object, const char* name, const H5A_info_t*, void*) -> herr_t {
    const Hdf5Id attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
    const Hdf5Id type(H5Aget_type(attribute.get()), H5Tclose), space(H5Aget_space(attribute.get()), H5Sclose);
    return 0;
  };
  std::vector<std::string> objects{"."};
  const auto look = [](hid_t, const char* name, const H5O_info_t*, void* into) -> herr_t {
    static_cast<std::vector<std::string>*>(into)->push_back(name);
    return 0;
  };
  const Quiet quiet;
  require(H5Ovisit2(file_.get(), H5_INDEX_NAME, H5_ITER_INC, look, &objects, H5O_INFO_BASIC), "its groups");
  for (const std::string& path : objects) {
    const Hdf5Id object(H5Oopen(file_.get(), path.c_str(), H5P_DEFAULT), H5Oclose);
    if (object.get() < 0) continue;
    H5Aiterate2(object.get(), H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, look_at_attribute, nullptr);
    if (H5Iget_type(object.get()) == H5I_DATASET) survey_data_set(path);
  }
}

std::vector<std::string> Hdf5File::groups_with(const std::string& data_set) const {
  struct Found {
    const std::string& data_set;
    std::vector<std::string> groups;
  } found{data_set, {}};
  const auto look = [](hid_t, const char* name, const H5O_info_t* info, void* into) -> herr_t {
    auto& to = *static_cast<Found*>(into);
    const std::string path = name;
    const std::size_t end = path.rfind('/');
    if (info->type == H5O_TYPE_DATASET && end != std::string::npos && path.substr(end + 1) == to.data_set) {
      to.groups.push_back(path.substr(0, end));
    }
    return 0;
  };
  const Quiet quiet;
  require(H5Ovisit2(file_.get(), H5_INDEX_NAME, H5_ITER_INC, look, &found, H5O_INFO_BASIC), "its groups");
  std::sort(found.groups.begin(), found.groups.end());
  return found.groups;
}

void Hdf5File::remove(const std::string& path) const {
  const Quiet quiet;
  require(H5Ldelete(file_.get(), path.c_str(), H5P_DEFAULT), path);
}

void Hdf5File::write(const std::string& path, std::span<const std::size_t> shape, const void* numbers,
                     hid_t type_in_file, hid_t type) const {
  const Quiet quiet;
  const std::vector<hsize_t> sides(shape.begin(), shape.end());
  const Hdf5Id links(H5Pcreate(H5P_LINK_CREATE), H5Pclose), creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(links.get(), 1);
  H5Pset_char_encoding(links.get(), H5T_CSET_UTF8);
  H5Pset_obj_track_times(creation.get(), false);
  const Hdf5Id space(H5Screate_simple(static_cast<int>(sides.size()), sides.data(), nullptr), H5Sclose);
  const Hdf5Id made(
      H5Dcreate2(file_.get(), path.c_str(), type_in_file, space.get(), links.get(), creation.get(), H5P_DEFAULT),
      H5Dclose);
  require(made.get(), path);
  const bool is_empty = std::find(shape.begin(), shape.end(), std::size_t{0}) != shape.end();
  if (!is_empty) require(H5Dwrite(made.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers), path);
}

void Hdf5File::write(const std::string& path, std::span<const std::size_t> shape,
                     std::span<const float> numbers) const {
  write(path, shape, numbers.data(), H5T_IEEE_F32LE, H5T_NATIVE_FLOAT);
}

void Hdf5File::write(const std::string& path, std::span<const std::size_t> shape,
                     std::span<const std::int32_t> numbers) const {
  write(path, shape, numbers.data(), H5T_STD_I32LE, H5T_NATIVE_INT32);
}

void Hdf5File::write_attribute(const std::string& path, const std::string& attribute, hid_t type,
                               const void* value) const {
  const Hdf5Id at(H5Oopen(file_.get(), path.c_str(), H5P_DEFAULT), H5Oclose);
  require(at.get(), path);
  const Hdf5Id space(H5Screate(H5S_SCALAR), H5Sclose);
  const Hdf5Id made(H5Acreate2(at.get(), attribute.c_str(), type, space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  require(made.get(), path);
  require(H5Awrite(made.get(), type, value), path);
}

void Hdf5File::write_number(const std::string& path, const std::string& attribute, double number) const {
  const Quiet quiet;
  write_attribute(path, attribute, H5T_NATIVE_DOUBLE, &number);
}

void Hdf5File::write_text(const std::string& group, const std::string& attribute, const std::string& text) const {
  const Quiet quiet;
  const Hdf5Id type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), text.size() + 1);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  write_attribute(group, attribute, type.get(), text.c_str());
}

void Hdf5File::remove_attribute(const std::string& path, const std::string& attribute) const {
  const Quiet quiet;
  const htri_t exists = H5Aexists_by_name(file_.get(), path.c_str(), attribute.c_str(), H5P_DEFAULT);
  if (require(exists, path) == 0) return;
  require(H5Adelete_by_name(file_.get(), path.c_str(), attribute.c_str(), H5P_DEFAULT), path);
}

Hdf5Id Hdf5File::data_set(const std::string& path) const {
  Hdf5Id opened(H5Dopen2(file_.get(), path.c_str(), H5P_DEFAULT), H5Dclose);
  if (opened.get() < 0) refuse("it has no data set '" + path + "'");
  const Hdf5Id type(H5Dget_type(opened.get()), H5Tclose);
  if (!has_numbers(type.get())) refuse("the data set '" + path + "' has no numbers, or some of an unusual form");
  return opened;
}

std::vector<std::size_t> Hdf5File::shape(const std::string& path, std::size_t dimensions) const {
  const Quiet quiet;
  const Hdf5Id opened = data_set(path), space(H5Dget_space(opened.get()), H5Sclose);
  std::array<hsize_t, H5S_MAX_RANK> sides{};
  const int count = require(H5Sget_simple_extent_ndims(space.get()), path);
  if (static_cast<std::size_t>(count) != dimensions) {
    refuse("the data set '" + path + "' has " + std::to_string(count) + " dimensions, but must have " +
           std::to_string(dimensions));
  }
  require(H5Sget_simple_extent_dims(space.get(), sides.data(), nullptr), path);
  return {sides.begin(), sides.begin() + count};
}

// A shape of a damaged file may ask for any amount of memory, and so may that of its chunks, each of which the library
// unpacks as a whole. Deflated data are at least a 1032nd of the whole.
std::size_t Hdf5File::count_of(hid_t data_set, const std::string& path) const {
  const Hdf5Id space(H5Dget_space(data_set), H5Sclose), type(H5Dget_type(data_set), H5Tclose);
  const auto count = static_cast<std::size_t>(require(H5Sget_simple_extent_npoints(space.get()), path));
  const std::size_t stored = H5Dget_storage_size(data_set), size = std::max<std::size_t>(H5Tget_size(type.get()), 1);
  hsize_t file_size = 0;
  require(H5Fget_filesize(file_.get(), &file_size), path);
  const double asked = std::max(static_cast<double>(count), stored > 0 ? numbers_of_chunk(data_set) : 0);
  if (stored <= file_size && asked < 1032 * (static_cast<double>(stored) / static_cast<double>(size) + 1)) return count;
  refuse(fmt::format("the data set '{}' asks for {:.0f} numbers, but has {} bytes", path, asked,
                     std::min<hsize_t>(stored, file_size)));
}

std::vector<float> Hdf5File::read_floats(const std::string& path) const {
  const Quiet quiet;
  const Hdf5Id opened = data_set(path);
  std::vector<float> numbers(count_of(opened.get(), path));
  if (numbers.empty()) return numbers;
  require(H5Dread(opened.get(), H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()), path);
  return numbers;
}

std::vector<std::int32_t> Hdf5File::read_integers(const std::string& path) const {
  const Quiet quiet;
  const Hdf5Id opened = data_set(path);
  std::vector<std::int32_t> numbers(count_of(opened.get(), path));
  if (numbers.empty()) return numbers;
  require(H5Dread(opened.get(), H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()), path);
  return numbers;
}

std::optional<std::string> Hdf5File::read_text(const std::string& group, const std::string& attribute) const {
  const Quiet quiet;
  if (H5Aexists_by_name(file_.get(), group.c_str(), attribute.c_str(), H5P_DEFAULT) <= 0) return std::nullopt;
  const Hdf5Id opened(H5Aopen_by_name(file_.get(), group.c_str(), attribute.c_str(), H5P_DEFAULT, H5P_DEFAULT),
                      H5Aclose);
  if (opened.get() < 0) return std::nullopt;
  const Hdf5Id type(H5Aget_type(opened.get()), H5Tclose), space(H5Aget_space(opened.get()), H5Sclose);
  if (type.get() < 0 || space.get() < 0) return std::nullopt;
  const std::size_t size = H5Tget_size(type.get());
  // H5Aread writes every element of the attribute, and `text` has room for one.
  const bool is_one = H5Sget_simple_extent_npoints(space.get()) == 1;
  if (!is_one || H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) != 0 || size > 65536) {
    return std::nullopt;
  }
  std::string text(size, '\0');
  require(H5Aread(opened.get(), type.get(), text.data()), group);
  text.resize(text.find_last_not_of('\0') + 1);
  return text;
}

void Hdf5File::flush() const {
  const Quiet quiet;
  require(H5Fflush(file_.get(), H5F_SCOPE_LOCAL), "flush");
}

std::vector<std::byte> Hdf5File::bytes() const {
  flush();
  const Quiet quiet;
  std::vector<std::byte> bytes(
      static_cast<std::size_t>(require(H5Fget_file_image(file_.get(), nullptr, 0), "its bytes")));
  require(H5Fget_file_image(file_.get(), bytes.data(), bytes.size()), "its bytes");
  return bytes;
}

}  // namespace octavo::io

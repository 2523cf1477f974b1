// Damaged files of archives and of shards, messages of the decoder's process, and databases of COLMAP. They come
// from other processes or other people, so the readers trust nothing in them.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/test_folder.h"
#include "io/results/part_items.h"
#include "multiview/colmap/colmap_database.h"
#include "multiview/pairs/merge_vlads.h"
#include "multiview/sfm/match_graph.h"
#include "octavo/video/video_archive.h"
#include "tests/fuzz/damaged_files.h"
#include "video/archive/clip_pairs_file.h"
#include "video/archive/made_archive.h"
#include "video/frames/messages.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

std::span<const std::byte> as_bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

void write_text(const fs::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

// ---- messages of octavo-decode ----

std::string text_of_message(const video::Message& message) {
  const std::vector<std::byte> head = video::bytes_of(message);
  std::string text(reinterpret_cast<const char*>(head.data()), head.size());
  for (const auto part : video::data_of(message)) text.append(reinterpret_cast<const char*>(part.data()), part.size());
  return text;
}

TEST(MessageMutation, DamagedMessagesAreMessagesOrErrors) {
  VideoFacts facts;
  facts.container = "mov", facts.codec = "h264", facts.width = 64, facts.height = 48, facts.time_base = {1, 25};
  VideoFrame frame;
  frame.grey = Image(64, 48, 1, PixelType::u8);
  frame.stored_width = 64, frame.stored_height = 48;
  video::PacketMessage packet;
  packet.bytes.resize(100);
  std::vector<Original> originals;
  const auto add = [&](const char* name, const video::Message& message) {
    originals.push_back({name, text_of_message(message)});
  };
  add("facts", facts), add("frame", std::move(frame)), add("progress", video::ProgressMessage{7, 0.3});
  add("end", video::EndMessage{25, 1}), add("failure", video::FailureMessage{"it is cut"}), add("packet", packet);
  add("refusal", video::RefusalMessage{"interlaced"});
  const Count count = read_damaged(originals, 2000, [](const std::string& bytes, const std::string& name) {
    std::span<const std::byte> left = as_bytes_of(bytes);
    const auto read = [&](std::span<std::byte> some) {
      if (some.size() > left.size()) throw video::ProtocolError("the stream has ended");
      std::memcpy(some.data(), left.data(), some.size());
      left = left.subspan(some.size());
    };
    try {
      video::read_message(read, 1 << 20);
      return true;
    } catch (const video::ProtocolError&) {  // FrameReader names the file
    } catch (const std::exception& error) {
      ADD_FAILURE() << name << " threw " << error.what();
    }
    return false;
  });
  expect_both(count);
}

// ---- archives ----

ClipSignature made_signature(int seed) {
  ClipSignature clip{.seconds = 4};
  for (int i = 0; i < 4; ++i) {
    FrameSignature frame;
    frame.seconds = i;
    frame.until = i + 1;
    frame.features.resize(5);
    for (std::size_t k = 0; k < frame.features.size(); ++k) {
      frame.features[k].x = static_cast<std::uint16_t>(640 * k + static_cast<std::size_t>(seed));
      frame.features[k].word = static_cast<std::uint16_t>(k);
    }
    clip.frames.push_back(frame);
  }
  return clip;
}

TEST(ArchiveMutation, DamagedSignaturesAreSignaturesOrErrors) {
  const std::vector<std::byte> bytes = encode_signature(made_signature(3));
  const std::vector<Original> originals{{"signature", {reinterpret_cast<const char*>(bytes.data()), bytes.size()}}};
  const Count count = read_damaged(originals, 4000, [](const std::string& text, const std::string& name) {
    return decodes(name, [&] {
      for (const FrameSignature& frame : decode_signature(as_bytes_of(text), name).frames) {
        EXPECT_TRUE(std::isfinite(frame.seconds)) << name;
      }
    });
  });
  EXPECT_GT(count.errors, 0);
}

/// An archive of two clips, one of whose files is damaged.
class Archive {
 public:
  Archive() {
    {
      VideoArchive archive(place(), SignatureOptions());
      for (int i = 0; i < 2; ++i) add_clip(archive, folder_, std::to_string(i) + ".mp4", made_signature(i));
    }
    for (const auto& entry : fs::recursive_directory_iterator(place())) {
      const std::string name = entry.path().lexically_relative(place()).string();
      if (entry.is_regular_file() && entry.file_size() > 0) originals_.push_back({name, text_of(entry.path())});
    }
  }

  [[nodiscard]] fs::path place() const { return folder_ / "archive"; }
  [[nodiscard]] const std::vector<Original>& originals() const { return originals_; }

  bool read(const std::string& bytes, const std::string& name) const {
    for (const Original& one : originals_)
      write_text(place() / one.name, name.starts_with(one.name) ? bytes : one.bytes);
    for (const char* const ending : {"-wal", "-shm", "-journal"})
      fs::remove(place() / ("catalogue.sqlite" + std::string(ending)));
    return decodes(place().string(), [&] {
      const VideoArchive archive(place());
      for (const ArchivedClip& clip : archive.clips()) {
        EXPECT_LE(archive.signature(clip).frames.size(), 1000U) << name;
        for (const fs::path& file : clip.files) static_cast<void>(archive.file(file));
      }
      static_cast<void>(archive.digest());
    });
  }

 private:
  const TestFolder folder_;
  std::vector<Original> originals_;
};

TEST(ArchiveMutation, DamagedArchivesAreArchivesOrErrors) {
  const Archive archive;
  ASSERT_GE(archive.originals().size(), 3U);
  ASSERT_TRUE(archive.read("", "none"));
  const Count count = read_damaged(archive.originals(), 100, [&](const std::string& bytes, const std::string& name) {
    return archive.read(bytes, name);
  });
  expect_both(count);
}

// ---- parts of shards ----

TEST(PartMutation, DamagedPartsAreItemsOrErrors) {
  const TestFolder folder;
  const fs::path file = folder / "damaged.part", out = folder / "out.txt";
  VideoArchive archive(folder / "archive", SignatureOptions());
  for (int i = 0; i < 2; ++i) add_clip(archive, folder, std::to_string(i) + ".mp4", made_signature(i));
  const std::span<const VideoArchive> archives(&archive, 1);
  const std::vector<ArchivedClip> clips = archive.clips();

  ClipPair pair;
  pair.a = clips[0], pair.b = clips[1];
  pair.segments.resize(2);
  write_clip_pairs(folder / "pairs", {.kind = PartKind::clip_pairs, .settings = "{}", .inputs = inputs_of(archives)},
                   std::span(&pair, 1));
  PartItems vlads;
  for (int i = 0; i < 4; ++i) {
    const std::vector<std::int16_t> vlad(256, static_cast<std::int16_t>(100 * i + 7));
    vlads.emplace(placed_name(static_cast<std::size_t>(i), std::to_string(i) + ".png"), bytes_of_vlad(vlad));
  }
  write_part(folder / "vlads", {.kind = PartKind::vlads, .settings = R"({"neighbours":2,"augment":1})"}, vlads);

  const std::vector<Original> originals{{"pairs", text_of(folder / "pairs")}, {"vlads", text_of(folder / "vlads")}};
  const Count count = read_damaged(originals, 300, [&](const std::string& bytes, const std::string& name) {
    write_text(file, bytes);
    return decodes(file.string(), [&] {
      if (name.starts_with("pairs")) {
        read_clip_pairs(file, archives);
      } else {
        const Part part = part_in_file(file);
        merge_vlads(out, std::span(&part, 1));
      }
    });
  });
  expect_both(count);
}

// ---- COLMAP's databases ----

TEST(DatabaseMutation, DamagedDatabasesAreDatabasesOrErrors) {
  const TestFolder folder;
  const fs::path made = folder / "made.db", file = folder / "damaged.db";
  {
    ColmapDatabase database(made, "settings");
    Features features;
    for (int i = 0; i < 5; ++i) features.keypoints.push_back({.x = static_cast<float>(i), .y = 2, .scale = 3});
    features.descriptors.resize(5 * descriptor_length);
    std::array<std::int64_t, 2> ids{};
    for (int i = 0; i < 2; ++i) {
      ColmapImage image;
      image.name = std::to_string(i) + ".png";
      image.camera.size = {640, 480};
      image.camera.params = {500, 320, 240, 0};
      ids[static_cast<std::size_t>(i)] = database.add(image, features);
    }
    database.add_matches(ids[0], ids[1], std::array<Match, 2>{{{0, 1, 5}, {3, 2, 9}}});
    database.finish();
  }
  const std::vector<Original> originals{{"database", text_of(made)}};
  const Count count = read_damaged(originals, 300, [&](const std::string& bytes, const std::string& name) {
    for (const auto& entry : fs::directory_iterator(folder.path)) {
      if (entry.path() != made) fs::remove(entry.path());
    }
    write_text(file, bytes);
    return decodes(file.string(), [&] {
      sfm::read_match_graph(file);
      ColmapDatabase database(file, "settings");
      for (const char* const image : {"0.png", "1.png"}) {
        const auto id = database.image_of(image);
        if (!id) continue;
        EXPECT_EQ(database.features(*id).descriptors.size() % descriptor_length, 0U) << name;
      }
    });
  });
  expect_both(count);
}

}  // namespace
}  // namespace octavo

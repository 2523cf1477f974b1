// The digests of every stage, recorded once from the reference. They change only with a definition, which requires a
// new version of Octavo. `octavo selftest --device reference` prints the new ones.

#pragma once

namespace octavo {

struct Recorded {
  const char* image;
  const char* stage;
  const char* digest;
};

inline constexpr Recorded recorded[] = {
    {"blobs, usual", "scale space", "0badcc58f0a1fde5"},
    {"blobs, usual", "extrema", "419b6c972889be67"},
    {"blobs, usual", "orientation", "9c714346b045123a"},
    {"blobs, usual", "descriptor", "2d35caa6191b97ba"},
    {"noise, usual", "scale space", "a9231c932e8ac53d"},
    {"noise, usual", "extrema", "beea4fab2f86b9e0"},
    {"noise, usual", "orientation", "da2a1315edfc3244"},
    {"noise, usual", "descriptor", "6601da0dc71e7337"},
    {"blobs, octavo", "scale space", "4b67e667e0865c37"},
    {"blobs, octavo", "extrema", "716ef4e3e3429fb5"},
    {"blobs, octavo", "orientation", "59e880f5bcd320fe"},
    {"blobs, octavo", "descriptor", "73e47247dc21243e"},
    {"checkerboard, not doubled", "scale space", "9865209cb05dce3d"},
    {"checkerboard, not doubled", "extrema", "0b846ea0e4d3b66c"},
    {"checkerboard, not doubled", "orientation", "f9df050f7458b45b"},
    {"checkerboard, not doubled", "descriptor", "b96b027e80146bf0"},
    {"blobs, usual", "features", "5443e3490ef6a682"},
    {"blobs in 16 bits, 5 layers", "features", "6277ee7e621852f4"},
    {"noise, upright, 200 best in a grid", "features", "ad233d40ad588e6e"},
    {"blobs, octavo", "features", "eb49f838de982bbe"},
    {"blobs, octavo, 100 best", "features", "2e81664c37911c83"},
    {"blobs, best", "features", "e24f67292b809b32"},
    {"blobs, best", "ellipses", "bd6613ad7b235f8f"},
    {"blobs, wide", "features", "e2f9687546594198"},
    {"blobs, wide", "ellipses", "af4054a37076e2e4"},
    {"blobs, sfm", "features", "216bd35dc7d1c8fb"},
    {"blobs, signature", "features", "caeec3b9b6dbdd31"},
    {"blobs, lowe2004", "features", "66813a5de0f4ba12"},
    {"blobs, opencv", "features", "d6844ef56087e1f7"},
    {"blobs, colmap", "features", "46d9bfaaae4e1544"},
    {"blobs, ece277", "features", "f98bf9d82268021c"},
    {"83x61 blobs, mizuno2015", "features", "6d1276b6d3e012a0"},
    {"blobs, ellipses, pooled", "features", "97d84a81c424bb87"},
    {"blobs, ellipses, pooled", "ellipses", "3d29821ef50308bb"},
    {"83x61 blobs, trilateral", "features", "5ae62c3b24abea1e"},
    {"blobs, repeated edges", "features", "aa3955580ecbb3e0"},
    {"blobs and blobs in 16 bits", "matches", "1c00900c0ba953c1"},
    {"blobs and 16 bits, distinct", "matches", "20193dca119b79b9"},
    {"blobs, usual", "words", "f9a0953c1ddffc9c"},
    {"blobs, usual", "codes", "61e5de2e19411171"},
    {"blobs, usual", "vlad", "e8e6c2241bbbc83c"},
    {"noise, foagdd", "corners", "324dbe0eb2bc0373"},
    {"noise, foagdd", "features", "ab5a64c726690aa7"},
    {"checkerboard, foagdd", "corners", "17c798ef4604a045"},
    {"checkerboard, foagdd", "features", "d3232900dfa86d39"},
    {"blobs, foagdd, described", "corners", "0423255ff5ee62a1"},
    {"blobs, foagdd, described", "features", "562f6d4dda4e4fe9"},
    {"16 bits, foagdd, K 6, 5 px", "corners", "d9a44509b2791340"},
    {"16 bits, foagdd, K 6, 5 px", "features", "e05e3a6689fa3602"},
    {"16 bits, foagdd, rounded", "corners", "cd69191070c4aa2c"},
    {"16 bits, foagdd, rounded", "features", "cfe4b170bd9df2f6"},
};

}  // namespace octavo

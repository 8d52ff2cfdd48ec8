// Recordings for tests.
#pragma once

#include <gtest/gtest.h>
#include <lzma.h>

#include <fstream>
#include <string>
#include <utility>

#include "shim/replay/corpus.h"

namespace nlsh {

inline std::string item(char kind, std::string_view content) {
    std::string text;
    append_item(text, kind, content);
    return text;
}

// Packs the items into a file of this name, and reads it.
inline Corpus corpus_of(const std::string& items, const std::string& name) {
    std::string packed(items.size() + 1000, 0);
    size_t size = 0;
    EXPECT_EQ(lzma_easy_buffer_encode(
                  1, LZMA_CHECK_CRC32, nullptr, reinterpret_cast<const uint8_t*>(items.data()),
                  items.size(), reinterpret_cast<uint8_t*>(packed.data()), &size, packed.size()),
              LZMA_OK);
    const std::string file = testing::TempDir() + name;
    std::ofstream(file) << packed.substr(0, size);
    auto corpus = Corpus::read(file);
    EXPECT_TRUE(corpus);
    return *std::move(corpus);
}

}  // namespace nlsh

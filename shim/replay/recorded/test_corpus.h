// Recordings for tests.
#pragma once

#include <gtest/gtest.h>
#include <lzma.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>

#include "shim/replay/corpus.h"

namespace nlsh {

inline std::string item(char kind, std::string_view content) {
    std::string text;
    append_item(text, kind, content);
    return text;
}

// Packs the items into a file, and reads it. Tests run beside one another, so the file is the
// process's own.
inline Corpus corpus_of(const std::string& items) {
    std::string packed(items.size() + 1000, 0);
    size_t size = 0;
    EXPECT_EQ(lzma_easy_buffer_encode(
                  1, LZMA_CHECK_CRC32, nullptr, reinterpret_cast<const uint8_t*>(items.data()),
                  items.size(), reinterpret_cast<uint8_t*>(packed.data()), &size, packed.size()),
              LZMA_OK);
    const std::string file = testing::TempDir() + "corpus." + std::to_string(getpid());
    std::ofstream(file) << packed.substr(0, size);
    auto corpus = Corpus::read(file);
    std::remove(file.c_str());
    if (!corpus) {
        throw std::runtime_error("the recordings in " + file + " can't be read");
    }
    return *std::move(corpus);
}

}  // namespace nlsh

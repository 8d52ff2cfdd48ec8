// The names that a recorded process could read: the files of /etc/iproute2 and /usr/share/iproute2
// that it opened, put into folders. For tests.
#pragma once

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "backend/names/files.h"
#include "shim/replay/corpus.h"
#include "shim/replay/items.h"

namespace nlsh {

class RecordedNames {
  public:
    explicit RecordedNames(const Corpus& corpus)
        : folder_(testing::TempDir() + "names." + std::to_string(getpid())) {
        struct stat status{};
        if (fstat(corpus.file().get(), &status) != 0) return;
        size_ = static_cast<size_t>(status.st_size);
        bytes_ = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, corpus.file().get(), 0);
        each_item({static_cast<const char*>(bytes_), size_}, [this](const item& each) {
            if (each.kind == 'd') blobs_.push_back(content(each));
        });
    }
    ~RecordedNames() {
        std::filesystem::remove_all(folder_);
        munmap(bytes_, size_);
    }
    RecordedNames(const RecordedNames&) = delete;
    RecordedNames& operator=(const RecordedNames&) = delete;

    const NameTables& of(std::string_view tape, const Traits& traits, std::string_view build) {
        std::map<std::string, std::string_view> files;
        each_item(tape, [&](const item& each) {
            if ((each.kind == 'F' || each.kind == 'D') && number_at(&each, 0) == 0)
                take(each, files);
        });
        std::string key(build);
        for (const auto& [path, content] : files)
            key.append(path).append(1, '\0').append(content);
        const auto found = tables_.find(key);
        if (found != tables_.end()) return found->second;
        return tables_.emplace(key, written(files, traits)).first->second;
    }

  private:
    // An error, the path, a NUL, the content or a blob's number.
    void take(const item& file, std::map<std::string, std::string_view>& files) const {
        constexpr size_t error = sizeof(uint32_t);
        const char* const path = reinterpret_cast<const char*>(file.bytes) + error;
        const size_t length = strnlen(path, file.size - error);
        const size_t head = error + length + 1;
        std::string_view content(path + length + 1, file.size - head);
        if (file.kind == 'D') content = blobs_.at(number_at(&file, head));
        const std::string name(path, length);
        if (name.contains("/iproute2/")) files.emplace(name, content);
    }

    NameTables written(const std::map<std::string, std::string_view>& files, const Traits& traits) {
        const std::string root = folder_ + "/" + std::to_string(tables_.size());
        for (const auto& [path, content] : files) {
            std::filesystem::create_directories(std::filesystem::path(root + path).parent_path());
            std::ofstream(root + path) << content;
        }
        return NameFiles::on_demand(
            [traits] { return traits; },
            {.own = root + "/etc/iproute2", .shared = root + "/usr/share/iproute2"});
    }

    const std::string folder_;
    void* bytes_ = nullptr;
    size_t size_ = 0;
    std::vector<std::string_view> blobs_;
    std::map<std::string, NameTables> tables_;
};

}  // namespace nlsh

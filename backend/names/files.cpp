#include "backend/names/files.h"

#include <dirent.h>
#include <sys/stat.h>

#include <mutex>
#include <string_view>
#include <utility>

#include "backend/read_file.h"

namespace nlsh {
namespace {

struct NameFile {
    const char* name;
    NameKind kind;
    uint32_t limit;  // the largest number that iproute2 keeps
    bool directory;  // NAME.d/*.conf is read after it
};

constexpr NameFile name_files[] = {
    {"rt_protos", NameKind::protocol, 255, true}, {"rt_tables", NameKind::table, UINT32_MAX, true},
    {"rt_scopes", NameKind::scope, 255, false},   {"rt_dsfield", NameKind::dsfield, 255, false},
    {"rt_realms", NameKind::realm, 255, false},   {"group", NameKind::group, UINT32_MAX, false},
};

// What tells one version of a file from another.
struct Stamp {
    dev_t device = 0;
    ino_t inode = 0;
    off_t size = 0;
    int64_t modified = 0;  // nanoseconds
    int64_t changed = 0;
    bool operator==(const Stamp&) const = default;
};

constexpr int64_t nanoseconds(const timespec& t) {
    return t.tv_sec * int64_t{1'000'000'000} + t.tv_nsec;
}

Stamp stamp(const std::string& path) {
    struct stat status;
    if (stat(path.c_str(), &status) != 0) return {};
    return {status.st_dev, status.st_ino, status.st_size, nanoseconds(status.st_mtim),
            nanoseconds(status.st_ctim)};
}

// *.conf in readdir order, as iproute2 takes them.
std::vector<std::string> configuration_files(const std::string& directory) {
    std::vector<std::string> paths;
    DIR* stream = opendir(directory.c_str());
    if (stream == nullptr) return paths;
    while (const dirent* entry = readdir(stream)) {
        const std::string_view name = entry->d_name;
        if (name.front() == '.' || name.size() <= 5 || !name.ends_with(".conf")) continue;
        paths.push_back(directory + "/" + entry->d_name);
    }
    closedir(stream);
    return paths;
}

// The file and its extensions, in the order in which iproute2 reads them.
std::vector<std::string> paths_of(const std::string& directory, const NameFile& file) {
    std::vector<std::string> paths{directory + "/" + file.name};
    if (file.directory) {
        for (std::string& extra : configuration_files(paths.front() + ".d"))
            paths.push_back(std::move(extra));
    }
    return paths;
}

bool read_on_demand(const std::string& directory, NameKind kind, NameTable& table) {
    bool sound = add_built_in(kind, table);
    for (const NameFile& file : name_files) {
        if (file.kind != kind) continue;
        for (const std::string& path : paths_of(directory, file))
            sound = table.add_file(read_file(path), file.limit) && sound;
    }
    return sound;
}

}  // namespace

struct NameFiles::State {
    std::string directory;
    std::mutex mutex;
    std::vector<std::pair<std::string, Stamp>> watched;
    std::shared_ptr<const NameTables> tables;

    bool fresh() const {
        if (tables == nullptr) return false;
        for (const auto& [path, known] : watched) {
            if (stamp(path) != known) return false;
        }
        return true;
    }

    void watch(const std::string& path) { watched.emplace_back(path, stamp(path)); }

    void read(NameTables& fresh_tables, const NameFile& file) {
        if (file.directory) watch(directory + "/" + file.name + ".d");
        for (const std::string& each : paths_of(directory, file)) {
            watch(each);  // before reading: a change in between is seen next time
            if (!fresh_tables[file.kind].add_file(read_file(each), file.limit)) {
                fresh_tables.corrupted = true;
            }
        }
    }
};

NameFiles::NameFiles(std::string directory) : state_(std::make_unique<State>()) {
    state_->directory = std::move(directory);
}

NameFiles::~NameFiles() = default;

std::vector<std::string> NameFiles::directories() const {
    std::vector<std::string> found{state_->directory};
    for (const NameFile& file : name_files) {
        std::string directory = state_->directory + "/" + file.name + ".d";
        if (file.directory && stamp(directory) != Stamp{}) found.push_back(std::move(directory));
    }
    return found;
}

NameTables NameFiles::on_demand(std::string directory) {
    return NameTables([directory = std::move(directory)](NameKind kind, NameTable& table) {
        return read_on_demand(directory, kind, table);
    });
}

std::shared_ptr<const NameTables> NameFiles::tables() {
    const std::lock_guard lock(state_->mutex);
    if (state_->fresh()) return state_->tables;
    auto tables = std::make_shared<NameTables>(NameTables::built_in());
    state_->watched.clear();
    for (const NameFile& file : name_files)
        state_->read(*tables, file);
    state_->tables = std::move(tables);
    return state_->tables;
}

}  // namespace nlsh

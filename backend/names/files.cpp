#include "backend/names/files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

#include "backend/descriptor.h"
#include "backend/file_stamp.h"
#include "backend/read_file.h"
#include "parser/text.h"

namespace nlsh {
namespace {

struct NameFile {
    const char* name;
    NameKind kind;
    bool directory;  // also read NAME.d/*.conf
};

constexpr NameFile name_files[] = {
    {"rt_protos", NameKind::protocol, true},
    {"rt_tables", NameKind::table, true},
    {"rt_scopes", NameKind::scope, false},
    {"rt_dsfield", NameKind::dsfield, false},
    {"rt_realms", NameKind::realm, false},
    {"group", NameKind::group, false},
    {"rt_addrprotos", NameKind::address_protocol, true},
};

constexpr off_t largest = 1 << 20;

bool is_readable(const struct stat& status) {
    return S_ISREG(status.st_mode) && status.st_size <= largest;
}

// The content of a name file; empty if it is missing or a directory. No value: a FIFO, a device or
// an endless file, on which iproute2 would wait if it needed the file's names.
std::optional<std::string> read_names(const std::string& path) {
    struct stat status;
    if (stat(path.c_str(), &status) != 0 || S_ISDIR(status.st_mode)) return "";
    if (!is_readable(status)) return {};
    // Another file may have replaced it meanwhile.
    const Descriptor file = open_file(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY);
    if (file && (fstat(file.get(), &status) != 0 || !is_readable(status))) return {};
    return read_all(file);
}

bool add_names(const std::string& path, NameTable& table) {
    const auto text = read_names(path);
    return text && table.add_file(*text);
}

// NSS may know other protocols, or these in another order or under other names: then the line falls
// back.
struct IpProtocol {
    uint32_t number;
    const char* name;
};
constexpr IpProtocol usual_ip_protocols[] = {
    {1, "icmp"}, {6, "tcp"}, {17, "udp"}, {58, "ipv6-icmp"}};

struct ProtocolLine {  // protocols(5): NAME NUMBER ALIAS… # comment
    std::string_view name;
    uint32_t number;
    std::string_view aliases;
};

// The lines point into `file`.
std::vector<ProtocolLine> protocol_lines(std::string_view file) {
    std::vector<ProtocolLine> lines;
    while (!file.empty()) {
        std::string_view text = take_line(file);
        text = text.substr(0, text.find('#'));
        ProtocolLine line{take_word(text), 0, {}};
        const std::string_view number = take_word(text);
        line.aliases = text;
        if (read_number(number, line.number)) lines.push_back(line);
    }
    return lines;
}

bool has_alias(std::string_view aliases, std::string_view name) {
    while (!aliases.empty())
        if (take_word(aliases) == name) return true;
    return false;
}

// Adds the names whose number maps back to the same name.
void add_ip_protocols(const std::string& path, NameTable& table) {
    const std::string file = read_names(path).value_or("");
    const std::vector<ProtocolLine> lines = protocol_lines(file);
    for (const auto& [number, name] : usual_ip_protocols) {
        const auto numbered = std::ranges::find(lines, number, &ProtocolLine::number);
        const auto named = std::ranges::find_if(lines, [&](const ProtocolLine& line) {
            return line.name == name || has_alias(line.aliases, name);
        });
        if (numbered != lines.end() && numbered == named && named->name == name)
            table.add(number, name);
    }
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

// The file's extensions. If both places have one of the same name, our own counts.
std::vector<std::string> extensions(const NamePlaces& places, const std::string& directory,
                                    bool shared) {
    const std::string own = places.own + "/" + directory;
    std::vector<std::string> paths;
    if (shared) {
        for (std::string& path : configuration_files(places.shared + "/" + directory))
            if (stamp_of(own + "/" + std::string(base_name(path))) == FileStamp{})
                paths.push_back(std::move(path));
    }
    for (std::string& path : configuration_files(own))
        paths.push_back(std::move(path));
    return paths;
}

// The file and its extensions, in the order in which iproute2 reads them.
std::vector<std::string> paths_of(const NamePlaces& places, const NameFile& file, Traits traits) {
    const bool shared = traits.has(Trait::names_in_usr_share);
    std::vector<std::string> paths{places.own + "/" + file.name};
    if (shared && stamp_of(paths.front()) == FileStamp{})
        paths.front() = places.shared + "/" + file.name;
    if (file.directory) {
        for (std::string& extra : extensions(places, std::string(file.name) + ".d", shared))
            paths.push_back(std::move(extra));
    }
    return paths;
}

bool known_places(Traits traits) {
    return traits[Trait::names_in_usr_share] != Traits::Answer::unknown;
}

bool read_on_demand(const NamePlaces& places, Traits traits, NameKind kind, NameTable& table) {
    bool sound = add_built_in(kind, table, traits) && known_places(traits);
    if (kind == NameKind::ip_protocol) add_ip_protocols(places.protocols, table);
    for (const NameFile& file : name_files) {
        if (file.kind != kind) continue;
        for (const std::string& path : paths_of(places, file, traits))
            sound = add_names(path, table) && sound;
    }
    return sound;
}

}  // namespace

struct NameFiles::State {
    NamePlaces places;
    std::mutex mutex;
    Traits traits;
    Stamps read_files;
    std::shared_ptr<const NameTables> tables;

    bool fresh(const Traits& wanted) const {
        return tables != nullptr && wanted == traits && read_files.hold();
    }

    void stamp_in(const std::string& place, const NameFile& file) {
        read_files.add(place + "/" + file.name);
        if (file.directory) read_files.add(place + "/" + file.name + ".d");
    }

    void read(NameTables& fresh_tables, const NameFile& file) {
        stamp_in(places.own, file);  // first, so that a change in between is seen next time
        if (traits.has(Trait::names_in_usr_share)) stamp_in(places.shared, file);
        for (const std::string& each : paths_of(places, file, traits)) {
            read_files.add(each);
            if (!add_names(each, fresh_tables[file.kind])) fresh_tables.corrupted = true;
        }
    }
};

NameFiles::NameFiles(NamePlaces places) : state_(std::make_unique<State>()) {
    state_->places = std::move(places);
}

NameFiles::~NameFiles() = default;

std::vector<std::string> NameFiles::directories(Traits traits) const {
    std::vector<std::string> found;
    const bool shared = !traits.lacks(Trait::names_in_usr_share);
    for (const std::string* place : {&state_->places.own, &state_->places.shared}) {
        if (place == &state_->places.shared && !shared) continue;
        found.push_back(*place);
        for (const NameFile& file : name_files) {
            std::string directory = *place + "/" + file.name + ".d";
            if (file.directory && stamp_of(directory) != FileStamp{})
                found.push_back(std::move(directory));
        }
    }
    return found;
}

NameTables NameFiles::on_demand(std::function<Traits()> traits, NamePlaces places) {
    return NameTables(
        [traits = std::move(traits), places = std::move(places)](NameKind kind, NameTable& table) {
            return read_on_demand(places, traits(), kind, table);
        });
}

std::shared_ptr<const NameTables> NameFiles::tables(Traits traits) {
    const std::lock_guard lock(state_->mutex);
    if (state_->fresh(traits)) return state_->tables;
    auto tables = std::make_shared<NameTables>(NameTables::built_in(traits));
    if (!known_places(traits)) tables->corrupted = true;
    state_->traits = traits;
    state_->read_files.clear();
    for (const NameFile& file : name_files)
        state_->read(*tables, file);
    state_->read_files.add(state_->places.protocols);
    add_ip_protocols(state_->places.protocols, (*tables)[NameKind::ip_protocol]);
    state_->tables = std::move(tables);
    return state_->tables;
}

}  // namespace nlsh

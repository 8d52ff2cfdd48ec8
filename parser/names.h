// The name tables of /etc/iproute2 (rt_protos, rt_tables, …): pure data, parsed from text.
// Files are read, and read again when they change, by backend/names/files.h.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "parser/ip/options.h"

namespace nlsh {

enum class NameKind : uint8_t {
    protocol,
    table,
    scope,
    dsfield,
    realm,
    group,
    address_protocol,  // of builds that have Trait::address_protocol
    ip_protocol,       // those names of /etc/protocols that every system has
};
inline constexpr size_t name_kinds = 8;

// The names of one kind: compiled into iproute2, then added by files.
class NameTable {
  public:
    explicit NameTable(NameKind kind = NameKind::protocol) : kind_(kind) {}
    // Adds a name that needs no file.
    void add(uint32_t number, std::string_view name);
    // Adds the lines `NUMBER NAME` of a file. False: iproute2 would complain about a line, or may
    // ignore a name (it doesn't read the file while its other names suffice).
    bool add_file(std::string_view text);
    // A name's number. If a name has several, the number that iproute2 finds first.
    std::optional<uint32_t> number(std::string_view name) const;
    // Empty when the number has no name.
    std::string_view name(uint32_t number) const;

  private:
    struct Entry {
        uint32_t number;
        std::string name;
        bool built_in;  // the number has a name without any file
    };
    bool add_line(const char* line);
    bool counts(const Entry& entry) const;

    NameKind kind_;
    std::vector<Entry> entries_;
    std::unordered_map<uint32_t, size_t> latest_;  // of each number, its last entry
};

// All tables of one /etc/iproute2. Immutable once built; share by shared_ptr<const>. A
// single-threaded process may instead load each table on first use (`load`), because most commands
// need none.
struct NameTables {
    // Fills one table. False: one of its files is corrupted (add_file).
    using Load = std::function<bool(NameKind, NameTable&)>;

    explicit NameTables(Load load = {});

    // A file is broken, or iproute2 may read it too late: every line falls back.
    mutable bool corrupted = false;

    const NameTable& operator[](NameKind kind) const { return loaded(kind); }
    NameTable& operator[](NameKind kind) { return loaded(kind); }
    // A table's name or number on a command line. Like iproute2, tries the name first, then strtoul
    // base 0.
    std::optional<uint32_t> value(NameKind kind, std::string_view word) const;

    // Loads all of iproute2's files, to find out whether one is `corrupted`.
    void load_iproute2() const;

    // The names that are compiled into this iproute2.
    static NameTables built_in(Traits traits = Options{}.traits);

  private:
    NameTable& loaded(NameKind kind) const;

    Load load_;  // empty: all tables are loaded
    mutable std::array<bool, name_kinds> asked_{};
    mutable std::array<NameTable, name_kinds> tables_;  // by kind
};

// A name that is compiled into iproute2.
struct BuiltInName {
    NameKind kind;
    uint32_t number;
    std::string_view name;
    Trait since = Trait::always;
    Trait until = Trait::never;
};
extern const std::span<const BuiltInName> built_in_names;

// Adds the kind's names that this iproute2 has. False: nlsh doesn't know whether it has one of
// them.
bool add_built_in(NameKind kind, NameTable& table, Traits traits = Options{}.traits,
                  std::span<const BuiltInName> names = built_in_names);

}  // namespace nlsh

#include "shim/verify/out_of_use.h"

#include <algorithm>
#include <expected>
#include <ranges>
#include <utility>

#include "shim/builds/proven.h"
#include "shim/builds/qualified_record.h"
#include "shim/builds/record_place.h"
#include "shim/replay/attempts.h"

namespace nlsh {
namespace {

// Every line that names the one proof names the other.
std::string with_other_proof(std::string records, std::string_view before, std::string_view now) {
    for (size_t at = 0; (at = records.find(before, at)) != records.npos; at += now.size())
        records.replace(at, before.size(), now);
    return records;
}

// The file of the proof without the command; the error is a sentence.
std::expected<std::string, std::string> without(const ProvenCommand& command) {
    const std::string folder = command.proof.substr(0, command.proof.rfind('/'));
    const auto places = places_to_read();
    const auto place = std::ranges::find(places, folder, &RecordPlace::folder);
    if (place == places.end()) return std::unexpected(command.proof + ": no record's place");
    const auto lock = lock_place(*place);
    if (!lock) return std::unexpected(folder + ": can't be locked");
    const auto proven = Proven::parse(read_believed(*place, command.proof));
    if (!proven) return std::unexpected(command.proof + ": no proof any more");
    const std::string text = proven->without(command.scope).text();
    const std::string name = name_of_proof(text);
    std::string file = folder + "/" + name;
    std::string failure = write_believed(file, text);
    const std::string records = read_believed(*place, place->file);
    if (failure.empty())
        failure = write_believed(
            place->file, with_other_proof(records, command.proof.substr(folder.size() + 1), name));
    if (!failure.empty()) return std::unexpected(std::move(failure));
    return file;
}

}  // namespace

std::string put_out_of_use(std::vector<ProvenCommand> commands) {
    for (auto command = commands.begin(); command != commands.end(); ++command) {
        const auto file = without(*command);
        if (!file) return file.error();
        const std::string before = command->proof;
        for (ProvenCommand& each : std::ranges::subrange(command, commands.end()))
            if (each.proof == before) each.proof = *file;
    }
    return {};
}

}  // namespace nlsh

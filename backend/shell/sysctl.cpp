// sysctl(8) of procps 4.0.
#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include "backend/shell/evaluator.h"
#include "parser/text.h"

namespace nlsh {
namespace {

class SysctlRun {
  public:
    SysctlRun(const Sysctl& sysctl, Context& context, Files& files)
        : sysctl_(sysctl), context_(context), files_(files) {}

    bool set(const Sysctl::Setting& setting, unsigned mode);
    bool show(const Sysctl::Setting& setting, unsigned mode);
    // The file's mode; nothing if it is missing (with a message, unless -e).
    std::expected<unsigned, bool> find(const Sysctl::Setting& setting);

  private:
    void print(const std::string& key, std::string_view value) {
        context_.out->write(sysctl_.values_only ? fmt::format("{}\n", value)
                                                : fmt::format("{} = {}\n", key, value));
    }
    bool fail(std::string_view text, int error) {
        context_.err->write(fmt::format("sysctl: {}: {}\n", text, strerror(error)));
        return false;
    }

    bool fail_to_open(const std::string& key, int error) {
        if (error != EACCES && error != EPERM && error != EROFS)
            return fail(fmt::format("setting key \"{}\"", key), error);
        context_.err->write(fmt::format("sysctl: permission denied on key \"{}\"\n", key));
        return false;
    }

    const Sysctl& sysctl_;
    Context& context_;
    Files& files_;
};

std::expected<unsigned, bool> SysctlRun::find(const Sysctl::Setting& setting) {
    auto mode = files_.mode(setting.path);
    if (mode) return *mode;
    if (sysctl_.ignore_unknown) return std::unexpected(true);
    return std::unexpected(fail("cannot stat " + setting.path, mode.error()));
}

bool SysctlRun::set(const Sysctl::Setting& setting, unsigned mode) {
    if (!(mode & S_IWUSR) || S_ISDIR(mode)) {
        // sysctl prints a stale errno here, and returns success. 4.0.2's is EINVAL, 4.0.4's EPERM.
        if (!context_.fall_back("sysctl: not to be written"))
            fail(fmt::format("setting key \"{}\"", setting.key), EINVAL);
        return true;
    }
    context_.commit();
    auto file = files_.open(setting.path, false);
    if (!file) return fail_to_open(setting.key, file.error());
    (*file)->write(*setting.value + "\n");
    if (const int error = (*file)->error(); error != 0)
        return fail(fmt::format("setting key \"{}\"", setting.key), error);
    if (!sysctl_.quiet) print(setting.key, *setting.value);
    return true;
}

bool SysctlRun::show(const Sysctl::Setting& setting, unsigned mode) {
    if (S_ISDIR(mode)) {
        context_.fall_back("sysctl: a directory");
        return false;
    }
    if (!(mode & S_IRUSR)) return true;
    auto text = files_.read(setting.path);
    if (!text) {
        context_.fall_back("sysctl: unreadable");
        return false;
    }
    // A value of several lines is printed line by line.
    std::string_view rest(*text);
    while (!rest.empty())
        print(setting.key, take_line(rest));
    return true;
}

}  // namespace

int run_sysctl(const Sysctl& sysctl, Context& context, Files& files) {
    SysctlRun run(sysctl, context, files);
    int status = 0;
    for (const auto& setting : sysctl.settings) {
        auto mode = run.find(setting);
        bool ok = mode ? (setting.value ? run.set(setting, *mode) : run.show(setting, *mode))
                       : mode.error();
        // As in sysctl, a failed show adds 1 to the status, a failed change sets bit 0.
        if (!ok) status = setting.value ? status | 1 : status + 1;
    }
    return status & 0xff;
}

}  // namespace nlsh

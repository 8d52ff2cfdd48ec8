#include "shim/server/proc_files.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <cerrno>
#include <string_view>

#include "backend/descriptor.h"
#include "shim/engine/descriptor_output.h"

namespace nlsh {
namespace {

constexpr std::string_view root = "/proc/sys/";

class FileOutput final : public Output {
  public:
    explicit FileOutput(Descriptor file) : file_(std::move(file)), output_(file_.get()) {}
    bool write(std::string_view bytes) override { return output_.write(bytes); }
    int error() const override { return output_.error(); }

  private:
    Descriptor file_;
    DescriptorOutput output_;
};

}  // namespace

// Beneath /proc/sys no mount is crossed: binfmt_misc is another file system.
std::expected<Descriptor, int> ProcFiles::open_beneath(const std::string& path, int flags) const {
    if (path == "/dev/null") return Descriptor(::open("/dev/null", flags | O_CLOEXEC));
    if (!path.starts_with(root)) return std::unexpected(EACCES);
    if (!enter_()) return std::unexpected(ENOMEM);
    const Descriptor directory(::open("/proc/sys", O_PATH | O_DIRECTORY | O_CLOEXEC));
    open_how how{};
    // Creating is what a shell's `>` asks for: /proc answers it with EACCES or ENOENT as it does
    // there.
    how.flags = static_cast<uint64_t>(flags | O_CLOEXEC | O_NOFOLLOW);
    how.mode = (flags & O_CREAT) != 0 ? 0666 : 0;
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV;
    const long opened =
        syscall(SYS_openat2, directory.get(), path.c_str() + root.size(), &how, sizeof how);
    if (opened < 0) return std::unexpected(errno);
    return Descriptor(static_cast<int>(opened));
}

std::expected<std::unique_ptr<Output>, int> ProcFiles::open(const std::string& path, bool append) {
    auto file = open_beneath(path, O_WRONLY | O_CREAT | (append ? O_APPEND : O_TRUNC));
    if (!file) return std::unexpected(file.error());
    return std::make_unique<FileOutput>(std::move(*file));
}

std::expected<std::string, int> ProcFiles::read(const std::string& path) {
    const auto file = open_beneath(path, O_RDONLY);
    if (!file) return std::unexpected(file.error());
    std::string text;
    char buffer[4096];
    for (;;) {
        const ssize_t got = ::read(file->get(), buffer, sizeof buffer);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return std::unexpected(errno);
        if (got == 0) return text;
        text.append(buffer, static_cast<size_t>(got));
    }
}

std::expected<unsigned, int> ProcFiles::mode(const std::string& path) {
    const auto file = open_beneath(path, O_PATH);
    if (!file) return std::unexpected(file.error());
    struct stat status;
    if (fstat(file->get(), &status) != 0) return std::unexpected(errno);
    return status.st_mode;
}

}  // namespace nlsh

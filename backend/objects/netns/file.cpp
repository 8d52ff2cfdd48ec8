// ip netns add, attach, delete: makes and removes the mounts behind names. Only in the caller's own
// process.
#include <fmt/format.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include "backend/descriptor.h"
#include "backend/errors.h"
#include "backend/net/own_thread.h"
#include "backend/objects/netns/words/netns.h"
#include "backend/run.h"

namespace nlsh {
namespace {

// The folder's name in this build.
const char* folder_of(const Traits& traits) {
    return traits.has(Trait::netns_below_var_run) ? "/var/run/netns" : "/run/netns";
}

constexpr const char* own_namespace = "/proc/thread-self/ns/net";

int failed(Context& context, std::string_view what) {
    context.refusal = {errno};
    print_error(context, fmt::format("{}: {}\n", what, std::strerror(errno)));
    return 1;
}

// Makes the folder a mount point that all mount namespaces share, so that names appear and
// disappear in all of them. Returns 0, or the exit status after a printed error.
int prepare_folder(Context& context, const char* folder) {
    if (mkdir(folder, 0755) != 0 && errno != EEXIST) {
        return failed(context, fmt::format("mkdir {} failed", folder));
    }
    const Descriptor lock = open_file(folder, O_RDONLY | O_DIRECTORY);
    if (!lock)
        return failed(context, fmt::format("Cannot open netns runtime directory \"{}\"", folder));
    flock(lock.get(), LOCK_EX);
    if (mount("", folder, "none", MS_SHARED | MS_REC, nullptr) == 0) return 0;
    if (errno == EINVAL) {  // it isn't a mount point yet
        if (mount(folder, folder, "none", MS_BIND | MS_REC, nullptr) != 0) {
            return failed(context, fmt::format("mount --bind {0} {0} failed", folder));
        }
        if (mount("", folder, "none", MS_SHARED | MS_REC, nullptr) == 0) return 0;
    }
    return failed(context, fmt::format("mount --make-shared {} failed", folder));
}

int bind_namespace(Context& context, const std::string& source, std::string_view said_source,
                   const std::string& path) {
    if (mount(source.c_str(), path.c_str(), "none", MS_BIND, nullptr) == 0) return 0;
    return failed(context, fmt::format("Bind {} -> {} failed", said_source, path));
}

int bind_new_namespace(Context& context, const std::string& name, const std::string& path) {
    const auto cannot_create = [&] {
        return failed(context,
                      fmt::format("Failed to create a new network namespace \"{}\"", name));
    };
    int status = 0;
    const bool ran = run_on_own_thread([&] {
        status = unshare(CLONE_NEWNET) != 0
                     ? cannot_create()
                     : bind_namespace(context, own_namespace, "/proc/self/ns/net", path);
    });
    if (ran) return status;
    errno = EAGAIN;
    return cannot_create();
}

int remove_name(Context& context, const std::string& path) {
    umount2(path.c_str(), MNT_DETACH);
    if (unlink(path.c_str()) == 0) return 0;
    return failed(context, fmt::format("Cannot remove namespace file \"{}\"", path));
}

}  // namespace

ExitStatus run(Context& context, const Options& options, const NetnsFile& request) {
    const char* folder = folder_of(options.traits);
    const std::string path = fmt::format("{}/{}", folder, request.name);
    context.commit();
    if (request.verb == NetnsFile::Verb::remove) return remove_name(context, path);
    if (const int status = prepare_folder(context, folder); status != 0) return status;
    if (!open_file(path.c_str(), O_RDONLY | O_CREAT | O_EXCL)) {
        return failed(context, fmt::format("Cannot create namespace file \"{}\"", path));
    }
    const std::string source = fmt::format("/proc/{}/ns/net", request.process);
    const int status = request.verb == NetnsFile::Verb::add
                           ? bind_new_namespace(context, request.name, path)
                           : bind_namespace(context, source, source, path);
    if (status != 0) {
        umount2(path.c_str(), MNT_DETACH);
        unlink(path.c_str());
    }
    return status;
}

}  // namespace nlsh

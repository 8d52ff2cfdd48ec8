#include "shim/peer/callers_files.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>

#include <cerrno>
#include <stdexcept>

#include "shim/files/descriptor_output.h"
#include "shim/wire/codec.h"
#include "shim/wire/unix_socket.h"

namespace nlsh {
namespace {

bool is_file_of_proc(int descriptor) {
    struct stat file;
    struct statfs system;
    return fstat(descriptor, &file) == 0 && S_ISREG(file.st_mode) &&
           fstatfs(descriptor, &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
}

}  // namespace

std::expected<std::unique_ptr<Output>, int> CallersFiles::open(const std::string& path,
                                                               bool append) {
    if (journal_ != nullptr) journal_->lose_track();
    const int flags = O_WRONLY | O_CREAT | (append ? O_APPEND : O_TRUNC);
    const std::string frame = encode_reply({.type = NLSH_OPEN, .status = flags, .text = path});
    if (send(connection_, frame.data(), frame.size(), MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
        throw std::runtime_error("a caller is gone");
    Received came;
    const auto opened = receive_answer<nlsh_opened>(connection_, came);
    if (!opened) throw std::runtime_error("a caller opens nothing");
    if (opened->error != 0) return std::unexpected(opened->error);
    if (!came[0] || !is_file_of_proc(came[0].get())) return std::unexpected(EACCES);
    return std::make_unique<FileOutput>(std::move(came[0]));
}

std::expected<std::string, int> CallersFiles::read(const std::string&) {
    return std::unexpected(EACCES);
}

std::expected<unsigned, int> CallersFiles::mode(const std::string&) {
    return std::unexpected(EACCES);
}

}  // namespace nlsh

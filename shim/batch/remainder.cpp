#include "shim/batch/remainder.h"

#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <functional>
#include <thread>
#include <vector>

#include "backend/descriptor.h"
#include "shim/batch/failure_names.h"
#include "shim/builds/reference.h"
#include "shim/files/descriptor_output.h"
#include "shim/files/ends.h"
#include "shim/files/same_file.h"
#include "shim/process/exit_status.h"
#include "shim/process/pidfd_calls.h"
#include "shim/process/words.h"

namespace nlsh {
namespace {

constexpr int cannot_run = 127;
constexpr size_t block = size_t{64} * 1024;

bool write_all(int descriptor, std::string_view bytes) {
    return DescriptorOutput(descriptor).write(bytes);
}

// Whether the next line runs a program or is a monitor: both write all pending output.
bool writes_at_once(const BatchSource& source) {
    const auto line = read_batch_line(source.rest(), source.whole());
    if (!line || !*line || (*line)->words.empty()) return false;
    const std::vector<std::string>& words = (*line)->words;
    return std::string_view("monitor").starts_with(words[0]) ||
           (words.size() > 1 && std::string_view("exec").starts_with(words[1]));
}

// The real binary in a child process. It reads standard input, so its messages name `-`. For a
// named file, FailureNames puts the file's name into them.
class RealBatch {
  public:
    RealBatch(const BatchCall& call, BatchSource& source, BlockOutput& out)
        : call_(call),
          source_(source),
          out_(out),
          name_(call.words[call.invocation.batch]),
          named_(name_ != "-"),
          path_(reference_path(call.tool)) {}

    int run();

  private:
    // Puts an empty line in place of each line that has run, so that line numbers are right.
    bool prepare_input();
    std::vector<char*> arguments();
    [[noreturn]] void become_real(char* const* arguments) const;
    void feed();
    void relay_errors(int pidfd);
    void relay_output(int pidfd);

    const BatchCall& call_;
    BatchSource& source_;
    BlockOutput& out_;
    const std::string& name_;
    bool named_;
    std::string path_;
    Descriptor file_;           // all input
    Ends input_ = make_pipe();  // or a stream of it
    Ends errors_ = make_pipe();
    Ends output_;  // if the child's output is appended to the held output
    std::vector<std::string> words_;
    pid_t child_ = -1;
};

bool RealBatch::prepare_input() {
    if (!source_.whole()) return static_cast<bool>(input_.near);
    file_ = Descriptor(memfd_create("batch", MFD_CLOEXEC));
    return file_ && write_all(file_.get(), std::string(source_.line(), '\n')) &&
           write_all(file_.get(), source_.rest()) && lseek(file_.get(), 0, SEEK_SET) == 0;
}

std::vector<char*> RealBatch::arguments() {
    words_.assign(1, call_.program);
    words_.insert(words_.end(), call_.words.begin(), call_.words.end());
    words_[call_.invocation.batch + 1] = "-";
    return pointers(words_);
}

void RealBatch::become_real(char* const* arguments) const {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    dup2(source_.whole() ? file_.get() : input_.near.get(), STDIN_FILENO);
    if (named_) {
        // Keeps the order if both outputs go to one file.
        if (same_file(STDOUT_FILENO, STDERR_FILENO)) dup2(errors_.far.get(), STDOUT_FILENO);
        dup2(errors_.far.get(), STDERR_FILENO);
    }
    if (output_.far) dup2(output_.far.get(), STDOUT_FILENO);
    execv(path_.c_str(), arguments);
    _exit(cannot_run);
}

// Gives the child the rest and further input, until either side ends.
void RealBatch::feed() {
    const int target = input_.far.get();
    bool more =
        write_all(target, std::string(source_.line(), '\n')) && write_all(target, source_.rest());
    while (more) {
        pollfd ready[] = {{STDIN_FILENO, POLLIN, 0}, {target, 0, 0}};
        if (poll(ready, 2, -1) < 0 && errno != EINTR) break;
        if (ready[1].revents != 0) break;
        if (ready[0].revents == 0) continue;
        char bytes[4096];
        const ssize_t got = read(STDIN_FILENO, bytes, sizeof bytes);
        if (got < 0 && errno == EINTR) continue;
        more = got > 0 && write_all(target, {bytes, static_cast<size_t>(got)});
    }
    input_.far.reset();
}

// Passes on the pipe's bytes until the child has ended. Doesn't wait for the pipe's end, because
// the child's own children may hold the pipe longer.
void relay(const Descriptor& pipe, int pidfd, const std::function<void(std::string_view)>& give) {
    std::string bytes(block, '\0');
    for (;;) {
        pollfd ready[] = {{pipe.get(), POLLIN, 0}, {pidfd, POLLIN, 0}};
        if (poll(ready, 2, -1) < 0 && errno != EINTR) break;
        if (ready[0].revents != 0) {
            const ssize_t got = read(pipe.get(), bytes.data(), bytes.size());
            if (got < 0 && errno == EINTR) continue;
            if (got <= 0) break;
            give({bytes.data(), static_cast<size_t>(got)});
        } else if (ready[1].revents != 0) {
            break;
        }
    }
}

void RealBatch::relay_errors(int pidfd) {
    errors_.far.reset();
    DescriptorOutput err(STDERR_FILENO);
    FailureNames names(name_, err);
    relay(errors_.near, pidfd, [&](std::string_view bytes) { names.write(bytes); });
    names.end();
}

void RealBatch::relay_output(int pidfd) {
    size_t received = 0;
    relay(output_.near, pidfd, [&](std::string_view bytes) {
        received += bytes.size();
        out_.write(bytes);
        // The child has ended, or writes before its buffer is full.
        if (received % out_.block() != 0) out_.flush();
    });
}

int RealBatch::run() {
    if (path_.empty() || !prepare_input() || !errors_.near) return cannot_run;
    const std::vector<char*> arguments = this->arguments();
    if (!same_file(STDOUT_FILENO, STDERR_FILENO) || writes_at_once(source_)) out_.flush();
    if (out_.holds()) output_ = make_pipe();
    child_ = fork();
    if (child_ < 0) return cannot_run;
    if (child_ == 0) become_real(arguments.data());
    // If the child ends early, don't die of SIGPIPE.
    const auto before = signal(SIGPIPE, SIG_IGN);
    input_.near.reset();
    output_.far.reset();
    const Descriptor pidfd = open_process(child_);
    std::jthread relay;
    if (output_.near) relay = std::jthread([&] { relay_output(pidfd.get()); });
    if (!source_.whole()) feed();
    if (named_) relay_errors(pidfd.get());
    if (relay.joinable()) relay.join();
    out_.flush();
    const int status = exit_status(wait_for_end(child_));
    signal(SIGPIPE, before);
    if (file_) {
        // The child shares this file offset, and leaves it behind the last line that it read.
        const off_t end = lseek(file_.get(), 0, SEEK_CUR);
        const auto blank = static_cast<off_t>(source_.line());
        source_.leave(static_cast<size_t>(std::max<off_t>(end - blank, 0)));
    }
    return status;
}

}  // namespace

int run_remainder(const BatchCall& call, BatchSource& source, BlockOutput& out) {
    return RealBatch(call, source, out).run();
}

}  // namespace nlsh

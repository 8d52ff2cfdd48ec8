// stdout and stderr of a running program: held, discarded, redirected, watched.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "backend/context.h"
#include "backend/output.h"

namespace nlsh {

class NullOutput final : public Output {
  public:
    bool write(std::string_view) override { return true; }
};

// Holds writes to both streams, in order, until the first change, so that the line can still fall
// back. A show larger than `limit` streams, and so commits the line: memory stays bounded, but
// later objects that nlsh can't print exactly are printed as well as possible.
class Hold {
  public:
    static constexpr size_t limit = size_t{1} << 20;

    // changes: a command of the line may change something.
    Hold(Context& context, Sink& out, Sink& err, bool changes)
        : out(*this, out),
          err(*this, err),
          context_(context),
          out_target_(out),
          changes_(changes) {}
    // Call at a command's end. If commands may follow and there is certainly room, output stays
    // held. Otherwise it is written now, because a later change may depend on the write. If the
    // first write fails, the line falls back.
    void settle(bool more);
    // Call before a change in a line that may print. If stdout takes nothing, or a bounded line
    // holds too much, the line falls back.
    void expect_output();

    class Stream final : public Output {
      public:
        Stream(Hold& hold, Sink& target) : hold_(hold), target_(target) {}
        bool write(std::string_view bytes) override { return hold_.write(target_, bytes); }
        std::optional<bool> is_terminal() const override { return target_.is_terminal(); }
        Room room(size_t bytes) { return target_.room(bytes); }
        WriteFailure take_failure() { return target_.take_failure(); }
        bool untouched() const { return target_.untouched(); }

      private:
        Hold& hold_;
        Sink& target_;
    };
    Stream out, err;

  private:
    bool write(Output& target, std::string_view bytes);
    // The smaller room of both streams.
    Room room();
    void release();
    void give_up() { context_.fall_back("its output can't be written"); }
    bool untouched() const { return out.untouched() && err.untouched(); }

    Context& context_;
    const Output& out_target_;
    const bool changes_;
    std::vector<std::pair<Output*, std::string>> held_;
    size_t size_ = 0;
};

// Passes text on, and remembers the first line.
class FirstLine final : public Output {
  public:
    explicit FirstLine(Output& target) : target_(target) {}
    bool write(std::string_view bytes) override;
    std::optional<bool> is_terminal() const override { return target_.is_terminal(); }
    std::string line;

  private:
    static constexpr size_t longest = 200;
    Output& target_;
    bool complete_ = false;
};

// Restores the context's streams at its end.
class StreamScope {
  public:
    explicit StreamScope(Context& context)
        : context_(context), out_(context.out), err_(context.err) {}
    ~StreamScope() {
        context_.out = out_;
        context_.err = err_;
    }
    StreamScope(const StreamScope&) = delete;
    StreamScope& operator=(const StreamScope&) = delete;

    // Keeps an opened file until the end of the scope.
    Output* keep(std::unique_ptr<Output> file) {
        files_.push_back(std::move(file));
        return files_.back().get();
    }

  private:
    Context& context_;
    Output* out_;
    Output* err_;
    std::vector<std::unique_ptr<Output>> files_;
};

}  // namespace nlsh

// Output to a file, which the object owns and closes.
#pragma once

#include <utility>

#include "backend/descriptor.h"
#include "shim/files/descriptor_output.h"

namespace nlsh {

class FileOutput final : public Output {
  public:
    explicit FileOutput(Descriptor file) : file_(std::move(file)), output_(file_.get()) {}
    bool write(std::string_view bytes) override { return output_.write(bytes); }
    int error() const override { return output_.error(); }

  private:
    Descriptor file_;
    DescriptorOutput output_;
};

}  // namespace nlsh

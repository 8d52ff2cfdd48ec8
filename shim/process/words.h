// Words and variables as execve(2) takes them.
#pragma once

#include <string>
#include <vector>

namespace nlsh {

// Pointers to the texts, which must outlive them, and a null.
inline std::vector<char*> pointers(const std::vector<std::string>& texts) {
    std::vector<char*> list;
    list.reserve(texts.size() + 1);
    for (const std::string& text : texts)
        list.push_back(const_cast<char*>(text.c_str()));
    list.push_back(nullptr);
    return list;
}

// The texts before the null. list: may be null itself.
inline std::vector<std::string> texts_of(const char* const* list) {
    std::vector<std::string> texts;
    for (; list != nullptr && *list != nullptr; ++list)
        texts.emplace_back(*list);
    return texts;
}

}  // namespace nlsh

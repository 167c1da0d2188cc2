// Raw files for the examples: what a kernel reads is loaded into memory of the device, what it wrote is saved.
#pragma once

#include <acl/acl.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

class Files {
  public:
    // The program takes the names of `wanted` files.
    Files(int count, char **names, int wanted) : names_(names) {
        if (count != wanted + 1) {
            std::fprintf(stderr, "%s takes the names of %d files\n", names[0], wanted);
            std::exit(2);
        }
        aclInit(nullptr);
        aclrtSetDevice(0);
    }

    // Memory of the device with the contents of a file.
    void *load(int number, std::size_t bytes) const {
        std::vector<char> contents(bytes);
        std::FILE *file = std::fopen(names_[number], "rb");
        if (file == nullptr || std::fread(contents.data(), 1, bytes, file) != bytes) {
            std::fprintf(stderr, "%s does not have %zu bytes\n", names_[number], bytes);
            std::exit(2);
        }
        std::fclose(file);
        void *memory = room(bytes);
        aclrtMemcpy(memory, bytes, contents.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE);
        return memory;
    }

    // Memory of the device that nobody has written.
    void *room(std::size_t bytes) const {
        void *memory = nullptr;
        aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST);
        return memory;
    }

    // Writes memory of the device to a file. Returns the status of the program.
    int save(int number, const void *memory, std::size_t bytes) const {
        std::vector<char> contents(bytes);
        aclrtMemcpy(contents.data(), bytes, memory, bytes, ACL_MEMCPY_DEVICE_TO_HOST);
        std::FILE *file = std::fopen(names_[number], "wb");
        if (file == nullptr || std::fwrite(contents.data(), 1, bytes, file) != bytes) {
            std::fprintf(stderr, "%s cannot be written\n", names_[number]);
            return 2;
        }
        return std::fclose(file);
    }

  private:
    char **names_;
};

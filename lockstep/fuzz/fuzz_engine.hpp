// The interface between a fuzz target and its engine: libFuzzer's, which AFL++, Honggfuzz and OSS-Fuzz's drivers use
// too. replay_main.cpp is the simplest engine.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

/// Called once, before any input.
int LLVMFuzzerInitialize(int* argc, char*** argv);

/// Runs one input. 0: the engine may add it to the corpus; −1: it must not.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

/// Changes the input in place; returns its new size, at most max_size, or 0 for "try again".
std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed);

/// Joins two inputs into a third of at most out_max bytes.
std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* one, std::size_t one_size, const std::uint8_t* other,
                                      std::size_t other_size, std::uint8_t* out, std::size_t out_max, unsigned seed);

/// The engine's own mutations (dictionary, traced comparisons, bit flips). The symbol is weak because only libFuzzer
/// provides it: with other engines and in the replay build it is null.
[[gnu::weak]] std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);
}

#include "lockstep/describe/trace.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <exception>
#include <memory>
#include <typeinfo>

namespace lockstep {

std::string exception_text(const Thrown& thrown) {
  return thrown.what.empty() ? thrown.type : thrown.type + ": " + thrown.what;
}

Thrown current_exception_thrown() {
  Thrown out;
  const std::type_info* const type = abi::__cxa_current_exception_type();
  if (type == nullptr) throw;  // a forced unwinding (a thread that is cancelled) is no exception
  int fault = 0;
  const std::unique_ptr<char, void (*)(void*)> name{abi::__cxa_demangle(type->name(), nullptr, nullptr, &fault),
                                                    std::free};
  out.type = name != nullptr ? name.get() : type->name();
  try {
    throw;
  } catch (const std::exception& exception) {
    out.what = exception.what();
  } catch (...) {
    // no text
  }
  return out;
}

void note_exception(std::size_t step, bool in_snapshot, TraceHead& out) {
  out.deviation = {.step = step,
                   .in_snapshot = in_snapshot,
                   .field = std::string{exception_field},
                   .expected = "none",
                   .actual = exception_text(current_exception_thrown())};
}

}  // namespace lockstep

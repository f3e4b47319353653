// A reference to something that can be called, for parameters: it owns nothing and costs one indirect call.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace lockstep {

template <class Signature>
class FunctionRef;

template <class Result, class... Arguments>
class FunctionRef<Result(Arguments...)> {
 public:
  /// `function` must outlive this reference.
  template <class F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, FunctionRef>)
  FunctionRef(F&& function)  // NOLINT(google-explicit-constructor): arguments convert
      : function_{const_cast<void*>(static_cast<const void*>(std::addressof(function)))},
        call_{[](void* of, Arguments... arguments) -> Result {
          return (*static_cast<std::remove_reference_t<F>*>(of))(std::forward<Arguments>(arguments)...);
        }} {}

  Result operator()(Arguments... arguments) const { return call_(function_, std::forward<Arguments>(arguments)...); }

 private:
  void* function_;
  Result (*call_)(void*, Arguments...);
};

}  // namespace lockstep

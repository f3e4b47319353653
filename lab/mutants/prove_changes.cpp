// Decides planted changes by proof: does the kernel of a claim, with one change switched on, still equal what it was?
//
// usage: prove_changes GAME PLANTED --list
//        prove_changes GAME PLANTED [--seconds N] [--memory N]  < QUESTIONS
//
// PLANTED is the bitcode of a game's simulators and claims with all changes planted (lab/plant_sources.py), which no pass of
// LLVM has touched. For each change the number is fixed in it, the kernel is compiled as shipped, and the prover compares
// the two. Lines of JSON are printed.
//
// --list says for each claim which changes its kernel contains, and for each change by which other way the simulators
// reach it, if there is one: a function with the change that is called without any of these kernels around it.
//
// QUESTIONS has lines "CLAIM CHANGE original" or "CLAIM CHANGE specification": what the changed kernel is compared with.
#include <fmt/format.h>
#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ReplaceConstant.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Target/TargetOptions.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/IPO/Internalize.h>
#include <llvm/Transforms/Scalar/SCCP.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "lockstep/process/child.hpp"
#include "proof/limits.hpp"
#include "proof/prove.hpp"
#include "proof/solver.hpp"

namespace {

using namespace lockstep;
using namespace lockstep::proof;
using Json = nlohmann::ordered_json;
using Functions = std::set<const llvm::Function*>;

constexpr llvm::StringLiteral switch_name = "_ZN8lockstep7mutants5is_onEi";  // tools/planter/switch.hpp

/// Managers of LLVM's passes.
struct Passes {
  explicit Passes(llvm::TargetMachine* machine = nullptr) : builder{machine} {
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
  }
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
};

std::unique_ptr<llvm::Module> parsed(llvm::MemoryBufferRef bitcode, llvm::LLVMContext& context) {
  auto module = llvm::parseBitcodeFile(bitcode, context);
  if (!module) throw BadProgram{llvm::toString(module.takeError())};
  return std::move(*module);
}

/// Functions that mention the function or variable; null among them: a variable does, such as a table of virtual functions.
Functions users_of(const llvm::GlobalValue& value) {
  Functions out;
  std::vector<const llvm::User*> open(value.user_begin(), value.user_end());
  while (!open.empty()) {
    const llvm::User* user = open.back();
    open.pop_back();
    if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user)) {
      out.insert(instruction->getFunction());
    } else if (llvm::isa<llvm::GlobalValue>(user)) {
      out.insert(nullptr);
    } else {
      open.insert(open.end(), user->user_begin(), user->user_end());
    }
  }
  return out;
}

/// The source file of a function, from the project's root; the planted copies lie in a folder of the build.
std::string file_of(const llvm::Function& function) {
  const llvm::DISubprogram* subprogram = function.getSubprogram();
  return subprogram != nullptr ? subprogram->getFilename().str() : "";
}
bool is_simulators(const llvm::Function& function) { return file_of(function).find("optimized/") != std::string::npos; }
bool is_claims(const llvm::Function& function) { return file_of(function).starts_with("proof/"); }

class Planted {
 public:
  explicit Planted(const std::string& file) {
    auto buffer = llvm::MemoryBuffer::getFile(file);
    if (!buffer) throw BadProgram{file + ": " + buffer.getError().message()};
    bitcode_ = std::move(*buffer);
    module_ = without_initialisers(context_);
    find_places();
    for (const llvm::Function& function : *module_) {
      for (const llvm::Function* user : users_of(function)) callers_[&function].insert(user);
    }
  }

  /// The changes that the claim's kernel contains.
  std::set<int> changes(const Claim& claim) const {
    std::set<int> out;
    for (const llvm::Function* function : reached_from({&kernel(claim)}, {})) {
      if (const auto found = changes_in_.find(function); found != changes_in_.end())
        out.insert(found->second.begin(), found->second.end());
    }
    return out;
  }

  /// A function with the change that the simulators reach without calling a kernel of these claims; empty: there is none.
  std::string other_way(int change, const std::vector<const Claim*>& claims) const {
    Functions kernels;  // the simulator's functions that the claims call
    for (const Claim* claim : claims) {
      Functions entries;
      reached_from({&kernel(*claim)}, [&](const llvm::Function& each) {
        if (!is_simulators(each)) return true;
        entries.insert(&each);
        return false;
      });
      kernels.merge(entries);
    }
    std::set<std::string> out;  // of several, one that does not depend on addresses
    for (const auto& [function, changes] : changes_in_) {
      if (!changes.contains(change)) continue;
      for (const llvm::Function* changed : changed_by(*function)) {
        if (is_called_without(*changed, kernels)) out.insert(llvm::demangle(changed->getName()));
      }
    }
    return out.empty() ? "" : *out.begin();
  }

  /// Bitcode of the kernel and what it needs. Each change is a call of the switch, with its number, in the function that
  /// it changes.
  llvm::StringRef kernel_alone(const Claim& claim) {
    std::string& out = alone_[std::string(claim.kernel)];
    if (!out.empty()) return out;
    llvm::LLVMContext context;
    const auto module = without_initialisers(context);
    make_static_locals_automatic(*module);
    for (llvm::Function& function : *module) {
      if (!is_switchs(function)) continue;
      function.removeFnAttr(llvm::Attribute::NoInline);
      function.addFnAttr(llvm::Attribute::AlwaysInline);
    }
    const std::string name{claim.kernel};
    Passes passes;
    llvm::ModulePassManager all;
    // What the kernel does not need goes first: SROA takes minutes for some functions of the simulators.
    all.addPass(llvm::InternalizePass([&](const llvm::GlobalValue& value) { return value.getName() == name; }));
    all.addPass(llvm::GlobalDCEPass());
    all.addPass(llvm::AlwaysInlinerPass());
    all.addPass(llvm::createModuleToFunctionPassAdaptor(numbers_known()));
    all.addPass(llvm::GlobalDCEPass());
    all.run(*module, passes.modules);
    llvm::raw_string_ostream stream{out};
    llvm::WriteBitcodeToFile(*module, stream);
    return out;
  }

  /// The claim's kernel with the change on, compiled as shipped.
  std::shared_ptr<Program> with(const Claim& claim, int change) {
    auto context = std::make_unique<llvm::LLVMContext>();
    auto module = parsed({kernel_alone(claim), "planted"}, *context);
    if (llvm::Function* is_on = module->getFunction(switch_name)) {
      llvm::IRBuilder<> builder{llvm::BasicBlock::Create(*context, "", is_on)};
      builder.CreateRet(builder.CreateICmpEQ(is_on->getArg(0), builder.getInt32(static_cast<unsigned>(change))));
      is_on->setLinkage(llvm::GlobalValue::InternalLinkage);
      is_on->addFnAttr(llvm::Attribute::AlwaysInline);
    }
    std::string error;
    const llvm::Target* target = llvm::TargetRegistry::lookupTarget(module->getTargetTriple(), error);
    if (target == nullptr) throw BadProgram{error};
    const std::unique_ptr<llvm::TargetMachine> machine{
        target->createTargetMachine(module->getTargetTriple(), "", "", {}, llvm::Reloc::PIC_)};
    Passes passes{machine.get()};
    passes.builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3).run(*module, passes.modules);
    return std::make_shared<Program>(std::move(context), std::move(module));
  }

 private:
  /// The planted module without what runs before main: this makes tables, and kernels that read these are not covered.
  /// The switch has no body.
  std::unique_ptr<llvm::Module> without_initialisers(llvm::LLVMContext& context) const {
    auto out = parsed(*bitcode_, context);
    for (const char* name : {"llvm.global_ctors", "llvm.used", "llvm.compiler.used"}) {
      if (auto* variable = out->getNamedGlobal(name)) variable->eraseFromParent();
    }
    if (llvm::Function* is_on = out->getFunction(switch_name)) {
      is_on->deleteBody();
      is_on->setComdat(nullptr);
    }
    return out;
  }

  /// A constant of a function becomes a static variable by planting, initialised at the first call by mutants::made. Here
  /// it becomes a variable that is initialised at each call: the prover knows no variables that live on. The value is the
  /// same each time, because it depends only on which change is on. Other static variables stay: the prover does not cover
  /// kernels that use them.
  static void make_static_locals_automatic(llvm::Module& module) {
    for (llvm::GlobalVariable& guard : module.globals()) {
      llvm::StringRef name = guard.getName();
      llvm::GlobalVariable* variable =
          name.consume_front("_ZGVZ") ? module.getNamedGlobal(("_ZZ" + name).str()) : nullptr;
      if (variable == nullptr || !variable->hasInitializer()) continue;
      Functions functions = users_of(guard);
      functions.merge(users_of(*variable));
      if (functions.size() != 1 || functions.contains(nullptr)) continue;
      llvm::convertUsersOfConstantsToInstructions({&guard, variable});
      const std::vector<llvm::User*> of_guard(guard.user_begin(), guard.user_end());
      const std::vector<llvm::User*> of_variable(variable->user_begin(), variable->user_end());
      const auto made = std::ranges::find_if(of_variable, [](const llvm::User* user) { return is_made_by(*user); });
      if (made == of_variable.end()) continue;
      llvm::Function& function = *llvm::cast<llvm::Instruction>(*made)->getFunction();
      if (function.getReturnType()->isPointerTy()) continue;  // the address must not outlive the call
      for (llvm::User* user : of_guard) {
        auto* instruction = llvm::cast<llvm::Instruction>(user);
        const auto* call = llvm::dyn_cast<llvm::CallInst>(user);
        const bool acquires = call != nullptr && call->getCalledFunction()->getName() == "__cxa_guard_acquire";
        if (!user->getType()->isVoidTy()) {  // a load, or __cxa_guard_acquire: not initialised yet
          user->replaceAllUsesWith(llvm::ConstantInt::get(user->getType(), acquires ? 1 : 0));
        }
        instruction->eraseFromParent();
      }
      llvm::BasicBlock& entry = function.getEntryBlock();
      llvm::IRBuilder<> builder{&entry, entry.getFirstInsertionPt()};
      llvm::AllocaInst* automatic = builder.CreateAlloca(variable->getValueType());
      automatic->setAlignment(variable->getAlign().valueOrOne());
      builder.CreateStore(variable->getInitializer(), automatic);
      for (llvm::User* user : of_variable) {
        auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(user);
        if (call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::invariant_start) {
          call->eraseFromParent();  // would say that it never changes again
        } else {
          user->replaceUsesOfWith(variable, automatic);
        }
      }
    }
  }
  /// Whether this is mutants::made writing to the variable, or a store of what it returns.
  static bool is_made_by(const llvm::User& user) {
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(&user);
    const auto* call = llvm::dyn_cast<llvm::CallBase>(store != nullptr ? store->getValueOperand() : &user);
    const llvm::Function* callee = call != nullptr ? call->getCalledFunction() : nullptr;
    return callee != nullptr && callee->getName().contains("8lockstep7mutants4made");
  }

  /// A function of tools/planter/switch.hpp, instantiated for a place that is changed.
  static bool is_switchs(const llvm::Function& function) {
    return function.getName().contains("8lockstep7mutants") && !function.isDeclaration();
  }

  /// After these passes the switch is called with constants.
  static llvm::FunctionPassManager numbers_known() {
    llvm::FunctionPassManager out;
    out.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    out.addPass(llvm::SCCPPass());
    out.addPass(llvm::SimplifyCFGPass());
    return out;
  }

  /// The functions that call this one of tools/planter/switch.hpp, perhaps by others of that file.
  Functions changed_by(const llvm::Function& part) const {
    Functions out;
    Functions seen;
    std::vector<const llvm::Function*> open = {&part};
    while (!open.empty()) {
      const llvm::Function* function = open.back();
      open.pop_back();
      if (!seen.insert(function).second) continue;
      const auto callers = callers_.find(function);
      if (!is_switchs(*function) || callers == callers_.end() || callers->second.contains(nullptr)) {
        out.insert(function);
      } else {
        open.insert(open.end(), callers->second.begin(), callers->second.end());
      }
    }
    return out;
  }

  /// Whether something that nothing calls reaches the function without one of the kernels or a claim around it.
  bool is_called_without(const llvm::Function& callee, const Functions& kernels) const {
    Functions seen;
    std::vector<const llvm::Function*> open = {&callee};
    while (!open.empty()) {
      const llvm::Function* function = open.back();
      open.pop_back();
      if (kernels.contains(function) || is_claims(*function) || !seen.insert(function).second) continue;
      const auto callers = callers_.find(function);
      if (callers == callers_.end() || callers->second.contains(nullptr)) return true;
      open.insert(open.end(), callers->second.begin(), callers->second.end());
    }
    return false;
  }

  /// A function that is changed calls the switch with each change's number.
  void find_places() {
    const llvm::Function* is_on = module_->getFunction(switch_name);
    if (is_on == nullptr) throw BadProgram{"nothing is planted"};
    for (const llvm::User* user : is_on->users()) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(user);
      const auto* number = call != nullptr ? llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(0)) : nullptr;
      if (number == nullptr) throw BadProgram{"a change without a number"};
      changes_in_[call->getFunction()].insert(static_cast<int>(number->getSExtValue()));
    }
  }

  const llvm::Function& kernel(const Claim& claim) const {
    const llvm::Function* out = module_->getFunction(llvm::StringRef(claim.kernel.data(), claim.kernel.size()));
    if (out == nullptr) throw BadProgram{"there is no kernel " + std::string(claim.kernel)};
    return *out;
  }

  /// All functions that these mention; `continues`: whether to look into one.
  static Functions reached_from(std::vector<const llvm::Function*> open,
                                const std::function<bool(const llvm::Function&)>& continues) {
    Functions out;
    while (!open.empty()) {
      const llvm::Function* function = open.back();
      open.pop_back();
      if (!out.insert(function).second || (continues && !continues(*function))) continue;
      std::vector<const llvm::Constant*> constants;
      for (const llvm::BasicBlock& block : *function) {
        for (const llvm::Instruction& instruction : block) {
          for (const llvm::Value* operand : instruction.operands()) {
            if (const auto* constant = llvm::dyn_cast<llvm::Constant>(operand)) constants.push_back(constant);
          }
        }
      }
      while (!constants.empty()) {
        const llvm::Constant* constant = constants.back();
        constants.pop_back();
        if (const auto* mentioned = llvm::dyn_cast<llvm::Function>(constant)) {
          open.push_back(mentioned);
        } else if (!llvm::isa<llvm::GlobalValue>(constant)) {
          for (const llvm::Value* operand : constant->operands()) {
            if (const auto* inner = llvm::dyn_cast<llvm::Constant>(operand)) constants.push_back(inner);
          }
        }
      }
    }
    return out;
  }

  std::unique_ptr<llvm::MemoryBuffer> bitcode_;
  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
  std::map<const llvm::Function*, std::set<int>> changes_in_;
  std::map<const llvm::Function*, Functions> callers_;
  std::map<std::string, std::string> alone_;  // by kernel
};

struct Options {
  std::string game;
  std::string planted;
  bool list = false;
  double seconds = 60;
  std::size_t megabytes = 4096;
};

void list(const Planted& planted, const std::vector<const Claim*>& claims) {
  std::map<int, std::vector<const Claim*>> containing;
  for (const Claim* claim : claims) {
    const std::set<int> changes = planted.changes(*claim);
    for (const int change : changes) containing[change].push_back(claim);
    fmt::print("{}\n", Json{{"claim", claim->name}, {"covers_only", claim->covers_only}, {"changes", changes}}.dump());
  }
  for (const auto& [change, kernels] : containing) {
    fmt::print("{}\n", Json{{"change", change}, {"other_way", planted.other_way(change, kernels)}}.dump());
  }
}

Json decided(Planted& planted, const Claim& claim, int change, bool with_original, const Options& options) {
  Claim question = claim;
  if (with_original) {
    question.specification = claim.kernel;
    question.kernels_in = {};
  }
  const Result result = prove_changed(question, planted.with(claim, change), options.seconds);
  Json out = {{"answer", to_string(result.answer)},
              {"hash", result.hash},
              {"solver", Solver::name()},
              {"seconds", result.seconds}};
  if (result.answer != Answer::proved) {
    out["reason"] = result.reason + (result.place.file.empty() ? "" : ", " + result.place.text());
  }
  if (result.answer == Answer::refuted) {
    out["lawful"] = result.lawful;
    if (result.lawful && claim.scenario) out["scenario"] = claim.scenario(result.input);
  }
  return out;
}

void answer(Planted& planted, const Claim& claim, int change, bool with_original, const Options& options) {
  Json line = {{"claim", claim.name}, {"change", change}};
  planted.kernel_alone(claim);  // once for all children
  auto process = ChildProcess::call(
      [&](Outbox& out) {
        Json found;
        try {
          found = decided(planted, claim, change, with_original, options);
        } catch (const std::exception& error) {
          found = {{"answer", "not covered"}, {"reason", error.what()}};
        }
        out.send(found.dump());
      },
      limited(options.seconds, options.megabytes));
  if (!process) throw std::runtime_error{process.error()};
  std::string text;
  while (process->read(text, std::chrono::seconds{1})) {
  }
  const Json found = Json::parse(text, nullptr, false);
  line.update(!found.is_discarded() ? found
                                    : Json{{"answer", "not covered"},
                                           {"reason", "the prover " + process->wait().text() + " without an answer"}});
  fmt::print("{}\n", line.dump());
  std::fflush(stdout);
}

int run(const Options& options) {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  std::vector<const Claim*> chosen;
  for (const Claim& claim : claims()) {
    if (claim.game == options.game && claim.canary.empty()) chosen.push_back(&claim);
  }
  Planted planted{options.planted};
  if (options.list) {
    list(planted, chosen);
    return 0;
  }
  std::string name;
  int change = 0;
  std::string with;
  while (std::cin >> name >> change >> with) {
    const auto claim = std::ranges::find(chosen, name, [](const Claim* each) { return each->name; });
    if (claim == chosen.end() || (with != "original" && with != "specification")) {
      fmt::print(stderr, "prove_changes: {} has no claim {}, or '{}' is neither original nor specification\n",
                 options.game, name, with);
      return 2;
    }
    answer(planted, **claim, change, with == "original", options);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app{"Decides planted changes by proof"};
  app.add_option("game", options.game)->required();
  app.add_option("planted", options.planted, "bitcode with all changes planted")->required();
  app.add_flag("--list", options.list, "say which changes the claims' kernels contain");
  app.add_option("--seconds", options.seconds, "processor time for each question")->capture_default_str();
  app.add_option("--memory", options.megabytes, "megabytes for each question")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    return run(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "prove_changes: {}\n", error.what());
    return 3;
  }
}

// A program that misbehaves in the way that its first argument names, for tests of programs/outside_program.hpp.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

namespace {

void sleep_on() {
  while (true) pause();
}

void spin() {
  while (true) static_cast<void>(getppid());
}

void print_sum() {
  long sum = 0;
  for (long number; std::cin >> number;) sum += number;
  std::cout << sum << '\n';
}

void write_without_end(int descriptor) {
  const std::string block(65536, 'x');
  while (write(descriptor, block.data(), block.size()) > 0) {
  }
}

/// Leaves a process behind that has left its group, its session and its parent.
void start_daemon() {
  if (fork() != 0) {
    wait(nullptr);
    return;
  }
  setsid();
  if (fork() != 0) _exit(0);
  setsid();
  sleep_on();
}

/// One process forks; its children leave its group and sleep.
void fork_sleepers() {
  while (true) {
    if (fork() == 0) {
      setsid();
      sleep_on();
    }
  }
}

/// Every process forks.
void fork_bomb() {
  while (true) {
    if (fork() == 0) setsid();
  }
}

/// 10 GB.
void touch_memory() {
  std::vector<std::string> blocks;
  while (blocks.size() < 10'000) blocks.emplace_back(1'000'000, 'x');
  std::cout << blocks.back() << '\n';
}

}  // namespace

int main(int count, char** arguments) {
  const std::string how = count > 1 ? arguments[1] : "";
  if (how == "sum") print_sum();
  if (how == "arguments") {
    for (int i = 2; i < count; ++i) std::cout << arguments[i] << '\n';
  }
  if (how == "user") std::cout << geteuid() << '\n';
  if (how == "signal_parent") std::cout << (kill(getppid(), 0) == 0 ? "allowed" : "refused") << '\n';
  if (how == "deaf") std::cout << "42\n";
  if (how == "deaf_and_dumb") {
    close(STDIN_FILENO);
    close(STDOUT_FILENO);
    usleep(50'000);
  }
  if (how == "answer_first") {
    std::cout << std::string(1'000'000, 'x') << std::flush;
    print_sum();
  }
  if (how == "complain") {
    std::cerr << std::string(100'000, 'x') << "the end";
    return 3;
  }
  if (how == "spin") spin();
  if (how == "spin_in_child") {
    if (fork() == 0) spin();
    sleep_on();
  }
  if (how == "sleep") sleep_on();
  if (how == "daemon_and_sleep") {
    start_daemon();
    sleep_on();
  }
  if (how == "daemon") {
    start_daemon();
    std::cout << "42\n";
  }
  if (how == "fork_sleepers") fork_sleepers();
  if (how == "fork_bomb") fork_bomb();
  if (how == "memory") touch_memory();
  if (how == "print") write_without_end(STDOUT_FILENO);
  if (how == "abort") abort();
  if (how == "kill_all") kill(-1, SIGKILL);
  if (how == "write_file") return open("/var/tmp/lockstep_outside", O_WRONLY | O_CREAT, 0600) < 0 ? 0 : 1;
  return 0;
}

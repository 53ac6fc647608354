#include "probe/console.hpp"

#include <fcntl.h>
#include <sys/reboot.h>
#include <termios.h>
#include <unistd.h>

#include <string>

namespace swaprig::probe {

Console::Console() : m_console(open("/dev/console", O_WRONLY | O_CLOEXEC | O_NOCTTY)) {}

void Console::say(std::string_view text) const {
  std::string line = "swaprig: ";
  line += text;
  line += '\n';
  write_all(m_console ? m_console.get() : STDERR_FILENO, line);
}

void give_up(const Console& console, std::string_view why) {
  console.say(std::string("init failed: ").append(why));
  power_off();
}

void power_off() {
  sync();
  // What is still in the serial line's buffer would be lost with the power.
  const Descriptor console(open("/dev/console", O_WRONLY | O_CLOEXEC | O_NOCTTY));
  if (console) tcdrain(console.get());
  reboot(RB_POWER_OFF);
  _exit(1);  // not PID 1, or no permission
}

}  // namespace swaprig::probe

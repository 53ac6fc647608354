#pragma once

#include <functional>
#include <string>
#include <thread>

namespace swaprig::simdrive {

/// A UNIX socket that takes one command a line and gives one line back. One connection at a time; one that says
/// nothing for a second is closed.
class Control {
 public:
  using Handler = std::function<std::string(const std::string& line)>;

  /// Makes and listens on the socket (mode 0600); throws std::runtime_error when the path is taken.
  explicit Control(const std::string& path);
  /// Ends the thread and removes the socket.
  ~Control();
  Control(const Control&) = delete;
  Control& operator=(const Control&) = delete;

  /// After the server's fork.
  void start(Handler handler);

 private:
  void serve();
  void serve_connection(int connection);

  std::string m_path;
  int m_listener = -1;
  int m_stop = -1;  ///< eventfd
  Handler m_handler;
  std::thread m_thread;
};

}  // namespace swaprig::simdrive

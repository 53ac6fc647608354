#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/command.hpp"
#include "drive/block_device.hpp"
#include "drive/test_drive.hpp"
#include "support/catch.hpp"
#include "unit/drive/test_folder.hpp"

namespace swaprig::testing {

/// Runs a program that has to succeed.
std::string run(const std::string& program, const std::vector<std::string>& arguments, const std::string& input = "");
/// Its exit status, whatever it is.
int status_of(const std::string& program, const std::vector<std::string>& arguments);
bool have(const std::string& program);

struct LoopOptions {
  int sector = 512;
  bool direct = true;
  bool read_only = false;
};

/// A loop device over a file; detached by the destructor.
class LoopDevice {
 public:
  LoopDevice(const std::filesystem::path& file, const LoopOptions& options = {});
  ~LoopDevice() { detach(); }
  LoopDevice(const LoopDevice&) = delete;
  LoopDevice& operator=(const LoopDevice&) = delete;

  const std::string& path() const { return m_path; }
  std::string name() const { return m_path.substr(5); }
  void detach();

 private:
  std::string m_path;
};

/// A child process that does something, says that it has, and stays until this is destroyed.
class Child {
 public:
  explicit Child(const std::function<bool()>& action);
  /// A program: its path, then its arguments from the name on.
  explicit Child(const std::vector<std::string>& program);
  ~Child() { end(); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  pid_t pid() const { return m_pid; }
  void end();  ///< SIGKILL

 private:
  pid_t m_pid;
};

/// A loop drive over a sparse file in a folder of its own, with a link to it as udev would make it.
class LoopDrive {
 public:
  explicit LoopDrive(Bytes size = mib(64), const LoopOptions& options = {});

  const std::string& path() const { return m_loop->path(); }
  std::string name() const { return m_loop->name(); }
  LoopDevice& loop() { return *m_loop; }
  void attach(const LoopOptions& options);  ///< again, perhaps under another name
  const std::filesystem::path& file() const { return m_file; }
  std::filesystem::path link() const { return m_folder->path() / "by-id-link"; }
  const std::filesystem::path& folder() const { return m_folder->path(); }
  std::filesystem::path locks() const { return m_folder->path() / "locks"; }

  drive::BlockDevice facts() const;
  void claim();
  /// Writes through the device, so that the host's cache of it agrees.
  void write(std::uint64_t offset, const std::string& bytes) const;
  /// Makes the kernel see a partition, as it does by itself where it reads tables.
  std::string add_partition(int number, Bytes start, Bytes size) const;

  /// What an experiment's file would say of it, by its link.
  spec::DeviceBacking wanted() const;
  /// A digest of every byte that is not zero, and of where it is.
  std::string digest() const;

 private:
  std::unique_ptr<TestFolder> m_folder;
  std::filesystem::path m_file;
  std::unique_ptr<LoopDevice> m_loop;
};

/// An experiment's drive with one ext4 and one swap partition.
spec::Drive drive_of(const spec::DeviceBacking& backing);
std::unique_ptr<drive::TestDrive> take(const spec::DeviceBacking& backing, const std::filesystem::path& locks,
                                       const std::vector<std::string>& allowed = {});

/// The names of the refusals in a message.
std::set<std::string> refusals_in(const std::string& message);

/// Taking the drive is refused for exactly these reasons, with these words, and no byte of it has changed.
void check_refused(const LoopDrive& drive, const spec::DeviceBacking& wanted, const std::set<std::string>& names,
                   const std::string& words, const std::vector<std::string>& allowed = {});

/// For a moment of the test only.
CommandRunner& commands();

}  // namespace swaprig::testing

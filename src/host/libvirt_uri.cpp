#include "host/libvirt_uri.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

namespace swaprig::host {
namespace {

constexpr const char* k_advice =
    "; use qemu:///system or qemu:///session, or leave --connect out: then libvirt's driver runs within swaprig";

/// DRIVER[+TRANSPORT]://[HOST]/PATH[?PARAMETERS]
struct Parts {
  std::string driver;
  std::string transport;
  std::string host;
  std::string path;
  bool has_parameters = false;
};

Parts parse(const std::string& uri) {
  const auto colon = uri.find("://");
  if (colon == std::string::npos) {
    throw UsageError("--connect " + printable_line(uri) + ": this is not a libvirt URI" + k_advice);
  }
  Parts parts;
  const std::string scheme = uri.substr(0, colon);
  const auto plus = scheme.find('+');
  parts.driver = scheme.substr(0, plus);
  if (plus != std::string::npos) parts.transport = scheme.substr(plus + 1);
  const std::string rest = uri.substr(colon + 3);
  const auto slash = rest.find_first_of("/?#");
  parts.host = rest.substr(0, slash);
  if (slash == std::string::npos) return parts;
  const auto question = rest.find_first_of("?#", slash);
  parts.path = rest.substr(slash, question == std::string::npos ? question : question - slash);
  parts.has_parameters = question != std::string::npos;
  return parts;
}

}  // namespace

std::string driver_of(const std::string& uri) { return uri.substr(0, uri.find_first_of("+:")); }

void require_local_uri(const std::string& uri) {
  const Parts parts = parse(uri);
  const std::string shown = "--connect " + printable_line(uri) + ": ";
  if (!parts.host.empty() || (!parts.transport.empty() && parts.transport != "unix")) {
    throw UsageError(shown +
                     "this is another host, and swaprig's evidence (O_DIRECT, page cache, swap) is local; run " +
                     "swaprig on that host");
  }
  if (parts.driver != "qemu" && parts.driver != "test") {
    throw UsageError(shown + "swaprig needs libvirt's QEMU driver" + k_advice);
  }
  // A parameter can name another socket, and so another host.
  if (parts.has_parameters) throw UsageError(shown + "parameters are not supported" + k_advice);
  if (parts.path == "/embed") throw UsageError(shown + "the embedded driver is chosen by leaving --connect out");
}

}  // namespace swaprig::host

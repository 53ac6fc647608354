#include "guest/guest_agent.hpp"

#include <nlohmann/json.hpp>

#include "guest/base64.hpp"
#include "support/catch.hpp"
#include "support/fake_machine.hpp"

using namespace swaprig;
using namespace swaprig::guest;
using nlohmann::json;

namespace {

/// A guest whose agent answers each command by name with a prepared text, the same each time.
struct ScriptedGuest {
  std::shared_ptr<testing::FakeGuest> guest = std::make_shared<testing::FakeGuest>();
  testing::FakeMachine machine{guest};
  QemuGuestAgent agent{machine};
  std::map<std::string, std::string> answers;

  ScriptedGuest() {
    guest->on_agent = [this](const std::string& text) {
      const auto found = answers.find(json::parse(text)["execute"].get<std::string>());
      if (found == answers.end()) throw host::LibvirtError("asking", "Guest agent is not responding", 86);
      return found->second;
    };
  }

  std::vector<std::string> asked() const {
    std::vector<std::string> names;
    for (const auto& text : guest->agent_commands) names.push_back(json::parse(text)["execute"]);
    return names;
  }
};

}  // namespace

TEST_CASE("base64 there and back") {
  CHECK(to_base64("") == "");
  CHECK(to_base64("f") == "Zg==");
  CHECK(to_base64("fo") == "Zm8=");
  CHECK(to_base64("foobar") == "Zm9vYmFy");
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  CHECK(from_base64(to_base64(bytes)) == bytes);
  for (const char* broken : {"Zg=", "Zg", "Z===", "====", "Zg==Zg==", "Zm9*", "Zm9v\n"}) {
    INFO(broken);
    CHECK_FALSE(from_base64(broken).has_value());
  }
}

TEST_CASE("a ping is answered or not") {
  ScriptedGuest scripted;
  CHECK_FALSE(scripted.agent.answers());
  scripted.answers["guest-ping"] = R"({"return":{}})";
  CHECK(scripted.agent.answers());
  scripted.answers["guest-ping"] = "nonsense";
  CHECK_FALSE(scripted.agent.answers());
}

TEST_CASE("a command's output and status come back decoded") {
  ScriptedGuest scripted;
  scripted.answers["guest-exec"] = R"({"return":{"pid":77}})";
  scripted.answers["guest-exec-status"] = R"({"return":{"exited":true,"exitcode":3,"out-data":")" + to_base64("out\n") +
                                          R"(","err-data":")" + to_base64(std::string("e\0r", 3)) + R"("}})";
  const auto result = scripted.agent.exec({"/bin/x", "a b", "ü"}, std::chrono::seconds(5));
  CHECK(result.status == 3);
  CHECK_FALSE(result.timed_out);
  CHECK(result.out == "out\n");
  CHECK(result.err == std::string("e\0r", 3));
  const auto request = json::parse(scripted.guest->agent_commands.at(0));
  CHECK(request["arguments"] == json({{"path", "/bin/x"}, {"arg", {"a b", "ü"}}, {"capture-output", true}}));
  CHECK(json::parse(scripted.guest->agent_commands.at(1))["arguments"] == json({{"pid", 77}}));
}

TEST_CASE("a signal becomes 128 and its number") {
  ScriptedGuest scripted;
  scripted.answers["guest-exec"] = R"({"return":{"pid":1}})";
  scripted.answers["guest-exec-status"] = R"({"return":{"exited":true,"signal":9}})";
  CHECK(scripted.agent.exec({"/bin/x"}, std::chrono::seconds(5)).status == 137);
}

TEST_CASE("a command over its time is killed and said to be") {
  ScriptedGuest scripted;
  scripted.answers["guest-exec"] = R"({"return":{"pid":77}})";
  scripted.answers["guest-exec-status"] = R"({"return":{"exited":false}})";
  const auto result = scripted.agent.exec({"/bin/x"}, std::chrono::seconds(0));
  CHECK(result.timed_out);
  CHECK(result.status == 137);
  const auto kill = json::parse(scripted.guest->agent_commands.back());
  CHECK(kill["arguments"]["arg"] == json({"-c", "kill -KILL 77"}));
}

TEST_CASE("output is cut to 1 MiB: the end of stdout, the beginning of stderr") {
  ScriptedGuest scripted;
  const std::string big(std::size_t{1} << 20U, 'x');
  scripted.answers["guest-exec"] = R"({"return":{"pid":1}})";
  scripted.answers["guest-exec-status"] = R"({"return":{"exited":true,"exitcode":0,"out-data":")" +
                                          to_base64("first" + big) + R"(","err-data":")" + to_base64(big + "last") +
                                          R"("}})";
  const auto result = scripted.agent.exec({"/bin/x"}, std::chrono::seconds(5));
  CHECK(result.out.size() == std::size_t{1} << 20U);
  CHECK(result.out.starts_with("first"));
  CHECK(result.err.size() == std::size_t{1} << 20U);
  CHECK(result.err.ends_with("last"));
}

TEST_CASE("hostile answers to a command are agent errors, never more") {
  const std::vector<std::string> pids = {"",
                                         "{",
                                         "[]",
                                         "null",
                                         "7",
                                         R"({"return":null})",
                                         R"({"return":[]})",
                                         R"({"return":{}})",
                                         R"({"return":{"pid":"7"}})",
                                         R"({"return":{"pid":-1}})",
                                         R"({"return":{"pid":0}})",
                                         R"({"return":{"pid":1.5}})",
                                         R"({"return":{"pid":18446744073709551615}})",
                                         R"({"return":{"pid":9223372036854775807}})",
                                         R"({"return":{"pid":1e99}})",
                                         R"({"error":{"class":"GenericError","desc":"no"}})",
                                         R"({"error":null})",
                                         std::string(100'000, '['),
                                         R"({"return":)" + std::string(100'000, '[') + std::string(100'000, ']') + "}",
                                         "\xff\xfe\x80",
                                         std::string(std::size_t{9} << 20U, ' ')};
  for (const auto& answer : pids) {
    INFO(answer.substr(0, 60));
    ScriptedGuest scripted;
    scripted.answers["guest-exec"] = answer;
    CHECK_THROWS_AS(scripted.agent.exec({"/bin/x"}, std::chrono::seconds(1)), AgentError);
    CHECK_THROWS_AS(scripted.agent.start({"/bin/x"}), AgentError);
  }
  const std::vector<std::string> states = {R"({"return":{}})",
                                           R"({"return":7})",
                                           R"({"return":{"exited":1}})",
                                           R"({"return":{"exited":true}})",
                                           R"({"return":{"exited":true,"exitcode":-5}})",
                                           R"({"return":{"exited":true,"exitcode":"0"}})",
                                           R"({"return":{"exited":true,"signal":9999}})",
                                           R"({"return":{"exited":true,"exitcode":0,"out-data":7}})",
                                           R"({"return":{"exited":true,"exitcode":0,"out-data":"***="}})",
                                           R"({"return":{"exited":true,"exitcode":0,"err-data":"Zg="}})"};
  for (const auto& answer : states) {
    INFO(answer);
    ScriptedGuest scripted;
    scripted.answers["guest-exec"] = R"({"return":{"pid":1}})";
    scripted.answers["guest-exec-status"] = answer;
    CHECK_THROWS_AS(scripted.agent.exec({"/bin/x"}, std::chrono::seconds(1)), AgentError);
  }
}

TEST_CASE("a file is read in pieces to its end or to the limit") {
  auto guest = std::make_shared<testing::FakeGuest>();
  testing::FakeMachine machine(guest);
  QemuGuestAgent agent(machine);
  std::string content(1'500'000, 'a');
  content += "end";
  std::size_t at = 0;
  int open = 0;
  guest->on_agent = [&](const std::string& text) {
    const auto request = json::parse(text);
    const std::string command = request["execute"];
    if (command == "guest-file-open") {
      at = 0;
      ++open;
      CHECK(request["arguments"] == json({{"path", "/f"}, {"mode", "r"}}));
      return std::string(R"({"return":1000})");
    }
    CHECK(request["arguments"]["handle"] == 1000);
    if (command == "guest-file-close") {
      --open;
      return std::string(R"({"return":{}})");
    }
    const std::size_t count = request["arguments"]["count"];
    CHECK(count <= std::size_t{1} << 20U);
    const auto piece = content.substr(at, count);
    at += piece.size();
    return json{{"return", {{"count", piece.size()}, {"buf-b64", to_base64(piece)}, {"eof", at == content.size()}}}}
        .dump();
  };
  CHECK(agent.read_file("/f", mib(4)) == content);
  CHECK(agent.read_file("/f", Bytes{1'000'000}) == content.substr(0, 1'000'000));
  CHECK(open == 0);
}

TEST_CASE("hostile answers while reading are agent errors, and the file is closed") {
  const std::vector<std::string> answers = {R"({"return":{"count":0,"buf-b64":"","eof":false}})",
                                            R"({"return":{"count":3,"buf-b64":"Zm9v"}})",
                                            R"({"return":{"count":3,"buf-b64":"Zm9","eof":true}})",
                                            R"({"return":{"count":3,"buf-b64":[],"eof":true}})",
                                            R"({"return":{"count":3,"buf-b64":")" +
                                                to_base64("more than the eight bytes that were asked for") +
                                                R"(","eof":true}})",
                                            R"({"error":{"class":"GenericError","desc":"handle has not been found"}})"};
  for (const auto& answer : answers) {
    INFO(answer.substr(0, 80));
    ScriptedGuest scripted;
    scripted.answers = {
        {"guest-file-open", R"({"return":5})"}, {"guest-file-read", answer}, {"guest-file-close", R"({"return":{}})"}};
    CHECK_THROWS_AS(scripted.agent.read_file("/f", Bytes{8}), AgentError);
    CHECK(scripted.asked().back() == "guest-file-close");
  }
  ScriptedGuest scripted;
  for (const char* handle : {R"({"return":-1})", R"({"return":"5"})", R"({"return":{}})"}) {
    scripted.answers = {{"guest-file-open", handle}};
    CHECK_THROWS_AS(scripted.agent.read_file("/f", Bytes{8}), AgentError);
  }
}

TEST_CASE("a file is written in pieces and closed") {
  auto guest = std::make_shared<testing::FakeGuest>();
  testing::FakeMachine machine(guest);
  QemuGuestAgent agent(machine);
  std::string written;
  bool closed = false;
  guest->on_agent = [&](const std::string& text) {
    const auto request = json::parse(text);
    const std::string command = request["execute"];
    if (command == "guest-file-open") return std::string(R"({"return":1000})");
    if (command == "guest-file-close") {
      closed = true;
      return std::string(R"({"return":{}})");
    }
    // Takes less than it was given, as write(2) may.
    const auto bytes = from_base64(request["arguments"]["buf-b64"].get<std::string>()).value();
    const auto count = std::min<std::size_t>(bytes.size(), 40'000);
    written += bytes.substr(0, count);
    return json{{"return", {{"count", count}, {"eof", false}}}}.dump();
  };
  std::string content(200'000, '\0');
  for (std::size_t i = 0; i < content.size(); ++i) content[i] = static_cast<char>(i * 7);
  agent.write_file("/f", content);
  CHECK(written == content);
  CHECK(closed);
}

TEST_CASE("writing that fails is an agent error") {
  ScriptedGuest scripted;
  scripted.answers = {{"guest-file-open", R"({"return":5})"},
                      {"guest-file-write", R"({"return":{"count":0,"eof":false}})"},
                      {"guest-file-close", R"({"return":{}})"}};
  CHECK_THROWS_AS(scripted.agent.write_file("/f", "text"), AgentError);
  CHECK(scripted.asked().back() == "guest-file-close");
  scripted.answers["guest-file-write"] = R"({"return":{"count":5,"eof":false}})";
  CHECK_THROWS_AS(scripted.agent.write_file("/f", "text"), AgentError);
  scripted.answers["guest-file-write"] = R"({"return":{"count":4,"eof":false}})";
  scripted.answers["guest-file-close"] = R"({"error":{"class":"GenericError","desc":"No space left on device"}})";
  CHECK_THROWS_AS(scripted.agent.write_file("/f", "text"), AgentError);
}

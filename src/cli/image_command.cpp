#include <fmt/format.h>

#include <memory>

#include "base/text.hpp"
#include "cli/verbs.hpp"
#include "image/image_store.hpp"

namespace swaprig::cli {

namespace {

image::ImageStore open_images(Session& session) {
  return {session.images(), session.folders().cache, session.commands(), session.clock()};
}

ExitCode build(Session& session, const std::string& name) {
  auto images = open_images(session);
  const bool quiet = session.options().quiet;
  const auto built = images.ensure(name, [quiet](const std::string& line) {
    if (!quiet) fmt::print(stderr, "{}\n", printable_line(line, 2000));
  });
  fmt::print("{}  {}  {}\n", built.name, built.digest, built.folder.string());
  return ExitCode::ok;
}

ExitCode list(Session& session) {
  auto images = open_images(session);
  fmt::print("{:<20}  {:<12}  {:>10}  {:<24}  {}\n", "image", "digest", "on disk", "built", "state");
  for (const auto& entry : images.list()) {
    fmt::print("{:<20}  {:<12}  {:>10}  {:<24}  {}\n", entry.name, entry.digest.substr(0, 12), rounded(entry.size),
               entry.built_utc, entry.current ? "current" : "the definition changed since");
  }
  return ExitCode::ok;
}

ExitCode remove(Session& session, const std::string& name) {
  const int count = open_images(session).remove(name);
  fmt::print("removed {} build(s) of {}\n", count, printable_line(name));
  return ExitCode::ok;
}

}  // namespace

Verb add_image(CLI::App& app) {
  const auto name = std::make_shared<std::string>();
  auto* verb = app.add_subcommand("image", "Build, list or remove guest images");
  verb->require_subcommand(1);
  auto* build_verb = verb->add_subcommand("build", "Build an image, unless it is there already");
  build_verb->add_option("NAME", *name, "images/NAME.toml")->required();
  auto* list_verb = verb->add_subcommand("list", "List the images in the cache");
  auto* remove_verb = verb->add_subcommand("remove", "Remove an image from the cache");
  remove_verb->add_option("NAME", *name, "An image's name or digest")->required();
  return {verb, [=](Session& session) {
            if (build_verb->parsed()) return build(session, *name);
            if (list_verb->parsed()) return list(session);
            return remove(session, *name);
          }};
}

}  // namespace swaprig::cli

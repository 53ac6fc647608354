#include "report/svg.hpp"

#include "base/error.hpp"
#include "support/catch.hpp"

using namespace swaprig;
using namespace swaprig::report;

namespace {

const std::string k_drawn =
    "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
    "<svg onload=\"evil()\" width=\"9\" height=\"9\" viewBox=\"0 0 9 9\" xmlns=\"http://www.w3.org/2000/svg\" "
    "xmlns:xlink=\"http://www.w3.org/1999/xlink\">\n"
    "<title>Gnuplot</title><script>evil()</script>\n"
    "<g id=\"gnuplot_canvas\" onclick=\"evil()\"><defs><circle id='gpPt5' r='1'/><use xlink:href='#gpPt5' id='gpPt6'/>"
    "<path id='gpPt7' d='M0,0'/></defs>"
    "<g color=\"black\" stroke=\"currentColor\"></g>"
    "<g color='rgb(179,  64,  31)' class='gridline'><use xlink:href='#gpPt6'/></g>"
    "<text fill='rgb(29,34,40)' font-family='x'>a &lt;b&gt; &amp; c</text></g></svg>";

Chart chart() {
  Chart chart;
  chart.name = "times";
  chart.title = "Times <of> \"all\"";
  chart.description = "A & B";
  chart.width = 860;
  chart.height = 300;
  return chart;
}

}  // namespace

TEST_CASE("gnuplot's SVG becomes fit for the page") {
  CHECK(
      adapt_svg(k_drawn, chart(), SvgUse::in_page) ==
      "<svg viewBox=\"0 0 860 300\" xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" "
      "class=\"chart\" role=\"img\" aria-labelledby=\"times-title times-desc\">"
      "<title id=\"times-title\">Times &lt;of&gt; \"all\"</title><desc id=\"times-desc\">A &amp; B</desc>"
      "<g id=\"times-gnuplot_canvas\"><defs><circle id=\"times-gpPt5\" r=\"1\"/><use xlink:href=\"#times-gpPt5\" "
      "id=\"times-gpPt6\"/></defs><g class=\"c-best\"><use xlink:href=\"#times-gpPt6\"/></g>"
      "<text class=\"f-ink\">a &lt;b&gt; &amp; c</text></g></svg>\n");
}

TEST_CASE("a file of its own brings its colours, light and dark") {
  const auto svg = adapt_svg(k_drawn, chart(), SvgUse::own_file);
  CHECK(svg.find("<style>") != std::string::npos);
  CHECK(svg.find("prefers-color-scheme:dark") != std::string::npos);
  CHECK(svg.find("width=\"860\"") != std::string::npos);
  CHECK(svg.find("evil") == std::string::npos);
}

TEST_CASE("what is no SVG is an error, not a page") {
  CHECK_THROWS_AS(adapt_svg("gnuplot> oops", chart(), SvgUse::in_page), Error);
  CHECK_THROWS_AS(adapt_svg("<html/>", chart(), SvgUse::in_page), Error);
}

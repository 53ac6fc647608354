#pragma once

// Parts of the tree that both templates are filled from; in-room only, since it shows the template library.

#include <kainjow/mustache.hpp>
#include <string>
#include <vector>

#include "report/chart.hpp"
#include "report/findings.hpp"

namespace swaprig::report {

using Tree = kainjow::mustache::data;

/// A list and "has_NAME" beside it, since a template cannot ask whether a list is empty.
void put_list(Tree& tree, const std::string& name, const std::vector<Tree>& items);

/// The number and its unit stay on one line: "53 %", "28 s".
std::string with_hard_spaces(const std::string& text);

/// The chart of that name for the page; false when the report has none.
Tree chart_named(const std::vector<DrawnChart>& charts, const std::string& name);

/// Making swap files, of an experiment about that.
void put_makings(Tree& tree, const Findings& findings, const std::vector<DrawnChart>& charts);

/// Why: what the runs' drives did; over time within a run; the order of the runs.
void put_work(Tree& tree, const Subject& subject, const Findings& findings, const std::vector<DrawnChart>& charts);

/// A published study: its figures, its set-up (with the subject's beside it when there is one), its conditions.
void put_study(Tree& tree, const spec::Published& study, const Subject* subject);

/// The experiment's results beside the study that it refers to.
void put_reference(Tree& tree, const Subject& subject, const Findings& findings, const std::vector<DrawnChart>& charts);

/// One of our own templates, filled; the part "study" of it comes from `study`. The HTML escape without another one.
std::string rendered(const char* text, const char* study, Tree& tree, std::string (*escape)(const std::string&));

/// Runs that do not count; what it was measured on; how to repeat it.
void put_proof(Tree& tree, const Subject& subject, const Findings& findings);

/// A fenced code block, with a fence longer than any in the text.
std::string fenced(const std::string& text, const std::string& language);

}  // namespace swaprig::report

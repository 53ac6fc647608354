#pragma once

// Charts of what somebody else published, alone or with one's own results beside it.

#include <optional>

#include "report/beside.hpp"
#include "report/chart.hpp"
#include "report/creation_chart.hpp"
#include "spec/published.hpp"

namespace swaprig::report {

/// Bars in groups: the published excess, our own in seconds, our own in drive time where there is any. What is missing
/// is blank, with its reason.
Chart beside_chart(const Beside& beside);

/// A study alone: bars of the seconds, or time against size.
std::optional<Chart> published_chart(const spec::Published& study);

/// The chart of the experiment's reference; nothing without one.
std::optional<Chart> reference_chart(const Subject& subject, const Findings& findings);

/// The study's files as lines of the chart of making swap files.
std::vector<CreationSeries> creation_series(const std::vector<spec::PublishedFile>& files);

/// "dd, blocks of 16 KiB"
std::string method_in_words(const spec::PublishedFile& file);

/// "1701 s (28:21)", with the digits that were published.
std::string published_seconds(double seconds);

/// "1.59", "0", "−0.02"
std::string excess_in_words(double excess);

}  // namespace swaprig::report

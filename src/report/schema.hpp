#pragma once

namespace swaprig::report {

/// report.json; documented in reports/README.md. A field that is added keeps the version, any other change raises it.
inline constexpr const char* k_schema = "swaprig.report";
inline constexpr int k_schema_version = 1;

/// report.json of a published study alone; the same holds.
inline constexpr const char* k_published_schema = "swaprig.published";
inline constexpr int k_published_schema_version = 1;

}  // namespace swaprig::report

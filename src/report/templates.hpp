#pragma once

namespace swaprig::report {

// The files of src/report/templates/, embedded by CMake.
extern const char* const k_page_html;
extern const char* const k_page_css;
extern const char* const k_page_markdown;
extern const char* const k_study_html;  ///< a part of the pages
extern const char* const k_study_markdown;
extern const char* const k_published_html;
extern const char* const k_published_markdown;

}  // namespace swaprig::report

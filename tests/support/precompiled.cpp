// The library's one source that uses the precompiled header: without it nothing would build what the tests reuse.
#include "support/catch.hpp"

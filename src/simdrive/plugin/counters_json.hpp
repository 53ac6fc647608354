#pragma once

#include <nlohmann/json.hpp>

#include "simdrive/model/counters.hpp"
#include "simdrive/plugin/backing.hpp"
#include "simdrive/plugin/delivery.hpp"

namespace swaprig::simdrive {

using Json = nlohmann::ordered_json;

/// What the model counted. Times are ns of real time: the drive's own times the scale. A histogram is a list of
/// [least value, count] for each bucket that is not empty.
Json model_json(const Counters& counters, double time_scale);
Json delivery_json(const DeliveryCounters& counters);
Json backing_json(const Backing::Counters& counters);

}  // namespace swaprig::simdrive

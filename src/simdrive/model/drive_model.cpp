#include "simdrive/model/drive_model.hpp"

#include "simdrive/model/hdd.hpp"
#include "simdrive/model/ssd.hpp"

namespace swaprig::simdrive {

namespace {

/// Nothing takes any time: what the way to the server costs by itself.
class NullDrive final : public DriveModel {
 public:
  using DriveModel::DriveModel;

  void submit(const Request& request, Time now) override {
    m_counters.count_arrival(request);
    complete(request, now, now);
  }
  void advance(Time) override {}
  std::optional<Time> next_event() const override { return std::nullopt; }
};

}  // namespace

std::unique_ptr<DriveModel> make_drive_model(const DriveParameters& parameters, RegionMap regions) {
  switch (parameters.kind) {
    case DriveKind::hdd:
      return std::make_unique<Hdd>(parameters, std::move(regions));
    case DriveKind::ssd:
      return std::make_unique<Ssd>(parameters, std::move(regions));
    case DriveKind::null:
      break;
  }
  return std::make_unique<NullDrive>(std::move(regions));
}

}  // namespace swaprig::simdrive

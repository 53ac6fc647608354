#include "run/runner.hpp"

#include "base/text.hpp"
#include "run/one_run.hpp"

namespace swaprig::run {

Runner::Runner(Stage& stage, host::MachineHost& machines, image::ImageStore& images, Clock& clock, ResultSink& results,
               Progress& progress, const StopFlag& stop)
    : m_stage(stage),
      m_machines(machines),
      m_images(images),
      m_clock(clock),
      m_results(results),
      m_progress(progress),
      m_stop(stop) {}

RunRecord Runner::run(const plan::PlannedRun& planned, int attempt) {
  OneRun run({m_stage, m_machines, m_images, m_clock, m_progress, m_stop}, planned, attempt);
  m_results.begin(run.record());
  m_progress.run_started(run.record());
  try {
    run.prepare();   // an error here is the host's, not the run's
    try {
      run.boot();
      run.check_guest();
      run.place_swap();
      run.settle();
      run.measure();
      run.verify();
    } catch (const Interrupted&) {
      throw;
    } catch (const std::exception& error) {
      run.note_failure(error);
    }
    run.leave();
  } catch (const Error& error) {
    run.abort(error.what());
    m_results.record(run.record());
    m_progress.run_ended(run.record());
    throw;
  }
  run.judge();
  m_results.record(run.record());
  m_progress.run_ended(run.record());
  return run.record();
}

}  // namespace swaprig::run

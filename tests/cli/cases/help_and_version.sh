expect 0 --version; says "swaprig "
expect 0 --help; for verb in doctor plan run list show report export image; do says "$verb"; done
expect 0 run --help; says "--again"; says "--retry-failed"
expect 2; expect 2 frobnicate; expect 2 plan; expect 2 export x --format yaml
silent_out

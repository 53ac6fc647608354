# The whole chain once: a guest, a swap partition, a swap file by dd, evidence, export, show, report.
good_toml | sed 's/count = 2/count = 1/' > small.toml
cat >> small.toml <<'TOML'
[[scenarios]]
name = "file, \"dd\" <b>"
swap = [{ file = "/swapfile", on = "hdd.root", size = "256 MiB", create = "dd", block = "1 MiB" }]
TOML
expect 0 run small.toml --report report
expect 0 export small --format csv; mv out runs.csv
[ "$(wc -l < runs.csv)" -eq 3 ] || { cat runs.csv; fail "not two rows"; }
head -1 runs.csv | grep -q '^experiment,batch,block,position,attempt,scenario,state,reason,wall_s,user_s,sys_s,peak_memory_bytes,host_wall_s,pswpin_pages,pswpout_pages,accel,o_direct,started_utc' || fail "header"
[ "$(grep -c ',valid,' runs.csv)" -eq 2 ] || { cat runs.csv; fail "not two valid runs"; }
[ "$(grep -c ',yes,' runs.csv)" -eq 2 ] || fail "o_direct is not yes"
for file in index.html report.md runs.csv report.json; do [ -s "report/$file" ] || fail "report lacks $file"; done
expect 0 list; says small
batch=$(cut -d, -f2 runs.csv | tail -1)
expect 0 show "$batch-b1p1"; says "phases"; says "O_DIRECT"
# A full batch run again: nothing to do.
expect 0 run small.toml; complains "nothing to do"
# A changed file is refused with the difference.
sed -i 's/count = 1/count = 3/' small.toml
expect 2 run small.toml; complains "+ runs.count = 3"; complains "--again"
# Nothing is left behind.
[ -z "$(find "$STATE/drives" -type f)" ] || fail "a drive was left behind"
pgrep -f "guest=swaprig-small" && fail "a guest was left behind"
true

# Each way to fail gets its own reason, in bounded time, and nothing is left behind.
command_toml() {   # COMMAND [GUEST-LINE] [RUNS-LINE]
  good_toml | sed -e 's/count = 2/count = 1/' -e '/^kind = "memory"/d' -e '/^passes/d' \
    -e "s|^size = \"150 MiB\"|kind = \"command\"\ncommand = '''$1'''|" -e "s|^memory = .*|&\n${2:-}|" -e "s|^count = 1|&\n${3:-}|"
}
reason() {   # NAME STATE REASON
  expect 1 run "$1.toml"
  expect 0 export "$1" --format csv
  grep -q ",$2,\"\?$3" out || fail "$1: not $2: $3"
}
command_toml 'exit 22' > status.toml; reason status failed "exit status"
command_toml 'touch /run/done' | sed -e "s|^kind = \"command\"|&\nverify = 'test -f /run/other'|" > unverified.toml
reason unverified failed "verify failed"
command_toml 'nosuchprogram --really' > lost.toml; reason lost failed "command not found"
command_toml 'sleep 600' '' 'timeout = "3 s"' > slow.toml; reason slow failed "timeout"
command_toml 'echo c > /proc/sysrq-trigger; sleep 60' > panic.toml; reason panic failed "panic"
command_toml 'true' 'kernel_arguments = ["initcall_blacklist=populate_rootfs"]' > bootpanic.toml; reason bootpanic failed "panic"
command_toml 'true' 'kernel_arguments = ["module_blacklist=virtio_blk"]' > early.toml; reason early failed "early exit"
command_toml 'true' 'boot_timeout = "1 s"' > silent.toml; reason silent failed "silent boot"
command_toml 'true' 'sysctl = { "vm.nosuchthing" = 1 }' > sysctl.toml; reason sysctl failed "set-up not as planned"
good_toml | sed -e 's/count = 2/count = 1/' -e 's/^size = "150 MiB"/size = "2 GiB"/' > oom.toml; reason oom failed "out of memory"
pgrep -f "guest=swaprig-" && fail "a guest was left behind"
true

swaprig doctor >out 2>err; status=$?
[ $status -eq 0 ] || [ $status -eq 4 ] || fail "exit $status"
for what in QEMU libvirt KVM memory disk; do says "$what"; done
# Without programs on PATH it says which packages are missing, and that the host is not fit.
status=0; PATH=/nonexistent swaprig doctor >out 2>err || status=$?
[ $status -eq 4 ] || fail "exit $status without any program"
says "qemu-system-x86"

# The conditions did not hold: fits in memory (case 1), foreign swap (case 2).
good_toml | sed -e 's/count = 2/count = 1/' -e 's/^size = "150 MiB"/size = "20 MiB"/' > fits.toml
expect 1 run fits.toml; expect 0 export fits --format csv
[ "$(grep -c ',invalid,"\?no swap traffic' out)" -eq 3 ] || fail "not three attempts, all invalid: no swap traffic"
sed 's/^name = "swap partition"/&\nexpect_swap = false/' fits.toml > meant.toml
expect 0 run meant.toml; expect 0 export meant --format csv; says ",valid,"
good_toml | sed -e 's/count = 2/count = 1/' -e '/^kind = "memory"/d' -e '/^passes/d' \
  -e "s|^size = \"150 MiB\"|kind = \"command\"\nprepare = '''dd if=/dev/zero of=/foreign bs=1M count=8 \&\& chmod 600 /foreign \&\& mkswap /foreign \&\& swapon /foreign'''\ncommand = '''true'''|" > foreign.toml
expect 1 run foreign.toml; expect 0 export foreign --format csv; says ",failed,"
batch=$(cut -d, -f2 out | tail -1); expect 0 show "$batch-b1p1"; says "/foreign"
true

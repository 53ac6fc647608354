# An experiment beside a published study: what has to be in it, and how it says what is not.
with() { echo 'schema = 1'; cat; good_toml | sed 1d; }
named() { sed "s/name = \"swap partition\"/name = \"start of the HDD\"/"; cat <<'TOML'

[[scenarios]]
name = "RAM only"
swap = []
guest = { memory = "512 MiB" }
TOML
}
echo 'reference = "swap-on-hdd-2021"' | with | named > all.toml
expect 2 plan all.toml
for name in NVMe "SATA SSD" "swap file on the HDD" "end of the HDD"; do
  complains "the study has the scenario \"$name\", this experiment does not"
done
complains 'there is: "start of the HDD", "RAM only"'; complains 'reference_without = ["NVMe"]'
echo 'reference = "swap-on-hdd-2021"
reference_without = ["NVMe", "SATA SSD", "swap file on the HDD", "end of the HDD"]' | with | named > some.toml
expect 0 plan some.toml
sed 's/name = "start of the HDD"/name = "partition"/; s/^reference_without/reference_names = { "start of the HDD" = "partition" }\n&/' some.toml > renamed.toml
expect 0 plan renamed.toml
sed 's/swap-on-hdd-2021/swap-on-hd-2021/' some.toml > wrong.toml
expect 2 plan wrong.toml; complains 'did you mean "swap-on-hdd-2021"?'
sed 's/swap-on-hdd-2021/swapfile-creation-2017/' some.toml > kind.toml
expect 2 plan kind.toml; complains "times the making of swap files"

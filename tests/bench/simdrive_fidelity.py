#!/usr/bin/env python3
"""How well the simulated drives keep time, with fio as the judge. Needs fio with its nbd engine, nbdkit, a quiet machine.

  simdrive_fidelity.py --build BUILD_FOLDER [--seconds 5] [--repetitions 3] [--only speed|hdd|demerit|ssd]

A bench, not a test: it prints what it measured beside what was asked for, and always ends with 0 when it could measure.
"""
import argparse, csv, json, os, pathlib, signal, socket, statistics, subprocess, sys, tempfile, time

SOURCE = pathlib.Path(__file__).resolve().parents[2]
PROFILES = SOURCE / "experiments" / "drives"
GIB = 1 << 30
MIB = 1 << 20


class Served:
    """One server, until the end of the with block."""

    def __init__(self, plugin, parameters, control=True):
        self.folder = tempfile.TemporaryDirectory(prefix="simdrive")
        self.socket = os.path.join(self.folder.name, "nbd")
        self.control = os.path.join(self.folder.name, "control")
        self.trace = os.path.join(self.folder.name, "trace.csv")
        words = ["nbdkit", "--foreground", "--exit-with-parent", "--threads", "32", "--unix", self.socket, plugin]
        words += [p.replace("@TRACE@", self.trace) for p in parameters]
        self.has_control = control
        if control:
            words.append("control=" + self.control)
        self.process = subprocess.Popen(words)

    def __enter__(self):
        for _ in range(500):
            if os.path.exists(self.control if self.has_control else self.socket):
                return self
            time.sleep(0.01)
        raise SystemExit("the server did not start")

    def __exit__(self, *_):
        self.stop()
        self.folder.cleanup()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()

    def counters(self):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(self.control)
            connection.sendall(b"counters\n")
            return json.loads(connection.makefile().readline())

    def fio(self, rw, block, depth, seconds, offset=0, size=GIB, log=None):
        words = ["fio", "--name=job", "--ioengine=nbd", "--uri=nbd+unix:///?socket=" + self.socket, "--rw=" + rw,
                 f"--bs={block}", f"--iodepth={depth}", f"--offset={offset}", f"--size={size}", "--time_based",
                 f"--runtime={seconds}", "--output-format=json", "--norandommap", "--randrepeat=0"]
        if log:
            words += ["--write_lat_log=" + log, "--log_avg_msec=0"]
        out = subprocess.run(words, capture_output=True, text=True, cwd=self.folder.name, check=True).stdout
        job = json.loads(out[out.index("{"):])["jobs"][0]
        side = job["read" if "read" in rw else "write"]
        clat = side["clat_ns"]
        return {"iops": side["iops"], "rate": side["bw_bytes"], "mean_us": side["lat_ns"]["mean"] / 1e3,
                "median_us": clat["percentile"]["50.000000"] / 1e3 if "percentile" in clat else 0}


class Bench:
    def __init__(self, arguments):
        self.plugin = os.path.join(arguments.build, "swaprig-simdrive.so")
        self.predictor = next(str(p) for p in pathlib.Path(arguments.build).rglob("simdrive_predict") if p.is_file())
        self.seconds = arguments.seconds
        self.repetitions = arguments.repetitions

    def parameters(self, profile):
        return subprocess.check_output([self.predictor, "parameters", str(PROFILES / f"{profile}.toml")], text=True).split()

    def predict(self, profile, pattern, operation, offset, size, block, depth, count):
        words = [self.predictor, "run", str(PROFILES / f"{profile}.toml"), pattern, operation]
        return json.loads(subprocess.check_output(words + [str(n) for n in (offset, size, block, depth, count)]))

    def speed(self):
        print("null against nbdkit's memory plugin (wanted: at least 90 %)")
        null = self.parameters("null")
        cases = [("4K random reads, depth 1", "randread", 4096, 1, "iops"),
                 ("4K random reads, depth 16", "randread", 4096, 16, "iops"),
                 ("4K random writes, depth 16", "randwrite", 4096, 16, "iops"),
                 ("1M reads, depth 4", "read", MIB, 4, "rate"), ("1M writes, depth 4", "write", MIB, 4, "rate")]
        with Served(self.plugin, null) as ours, Served("memory", ["1T"], control=False) as theirs:
            for served in (ours, theirs):
                served.fio("write", MIB, 4, 2)
            for name, rw, block, depth, key in cases:
                pairs = [(ours.fio(rw, block, depth, self.seconds)[key], theirs.fio(rw, block, depth, self.seconds)[key])
                         for _ in range(self.repetitions)]
                share = statistics.median(a / b for a, b in pairs)
                print(f"  {name:28} ours {statistics.median(a for a, _ in pairs):14.0f}  memory "
                      f"{statistics.median(b for _, b in pairs):14.0f}  {share * 100:6.1f} %")

    def hdd(self):
        for profile in ("wd20earx", "enterprise-7200"):
            parameters = self.parameters(profile)
            size = int(next(p for p in parameters if p.startswith("size=")).split("=")[1]) // MIB * MIB
            middle = size // 2 // MIB * MIB
            cases = [("random 4K, first 4 GiB", "randread", 4096, 0, 4 * GIB),
                     ("random 4K, last 4 GiB", "randread", 4096, size - 4 * GIB, 4 * GIB),
                     ("random 4K, whole drive", "randread", 4096, 0, size),
                     ("sequential 1M, start", "read", MIB, 0, 4 * GIB), ("sequential 1M, middle", "read", MIB, middle, 4 * GIB),
                     ("sequential 1M, end", "read", MIB, size - 4 * GIB, 4 * GIB)]
            print(f"{profile}: fio against the model, depth 1 (wanted: within 3 % at the median of {self.repetitions})")
            for name, rw, block, offset, span in cases:
                pattern = "rand" if rw.startswith("rand") else "seq"
                wanted = self.predict(profile, pattern, "read", offset, span, block, 1, 20000 if pattern == "rand" else 2000)
                means, late = [], []
                for _ in range(self.repetitions):
                    with Served(self.plugin, parameters) as served:
                        means.append(served.fio(rw, block, 1, self.seconds, offset, span)["mean_us"])
                        counters = served.counters()
                        late.append((counters["delivery"]["lateness_p99_ns"] / 1e3,
                                     counters["delivery"]["late_ns"] / counters["wall_ns"]))
                got = statistics.median(means)
                print(f"  {name:24} model {wanted['mean_us']:10.1f} us  fio {got:10.1f} us  {(got / wanted['mean_us'] - 1) * 100:+6.2f} %"
                      f"  (all: {', '.join(f'{m:.0f}' for m in means)}; late p99 {max(l for l, _ in late):.0f} us,"
                      f" {max(s for _, s in late) * 100:.2f} % of the time)")

    def demerit(self):
        print("demerit: RMS distance of delivered and modelled latency distributions over the mean (wanted: at most 4 %)")
        for profile in ("wd20earx", "enterprise-7200", "hp97560"):
            parameters = self.parameters(profile)
            size = int(next(p for p in parameters if p.startswith("size=")).split("=")[1]) // MIB * MIB
            with Served(self.plugin, parameters + ["trace=@TRACE@"]) as served:
                served.fio("randread", 4096, 1, self.seconds * 2, 0, size, log="lat")
                logs = list(pathlib.Path(served.folder.name).glob("lat_lat.*.log"))
                seen = sorted(int(row[1]) for row in csv.reader(open(logs[0])))
                served.stop()
                rows = [row for row in csv.DictReader(open(served.trace)) if row["operation"] == "read" and row["length"] == "4096"]
                modelled = sorted(int(row["modelled_ns"]) for row in rows)
                inside = sorted(int(row["delivered_ns"]) for row in rows)
                served.process = subprocess.Popen(["true"])
            print(f"  {profile:16} {len(seen)} requests: at the client {rms(seen, modelled) * 100:5.2f} %, at the server"
                  f" {rms(inside, modelled) * 100:5.2f} %, mean {statistics.mean(modelled) / 1e6:.2f} ms")

    def ssd(self):
        with Served(self.plugin, self.parameters("null")) as served:
            floor = {rw: served.fio(rw, 4096, 1, self.seconds)["median_us"] for rw in ("randread", "randwrite")}
        print(f"SSD, depth 1, 4K; floor of null: read {floor['randread']:.1f} us, write {floor['randwrite']:.1f} us"
              " (wanted: within 10 % from twice the floor on)")
        for profile in ("vertex4", "970-evo-plus", "sd-card"):
            parameters = self.parameters(profile)
            for rw, operation in (("randread", "read"), ("randwrite", "write")):
                wanted = self.predict(profile, "rand", operation, 0, GIB, 4096, 1, 1000)["median_us"]
                with Served(self.plugin, parameters + [f"transport={int(floor[rw] * 1000)}"]) as served:
                    got = statistics.median(served.fio(rw, 4096, 1, self.seconds)["median_us"] for _ in range(self.repetitions))
                note = "" if wanted >= 2 * floor[rw] else "  floor-limited"
                print(f"  {profile:14} {operation:5} model {wanted:8.1f} us  fio {got:8.1f} us  {(got / wanted - 1) * 100:+6.1f} %{note}")


def rms(seen, modelled):
    """Both sorted; the longer one is thinned to the other's quantiles."""
    count = min(len(seen), len(modelled))
    pick = lambda values: [values[(2 * i + 1) * len(values) // (2 * count)] for i in range(count)]
    a, b = pick(seen), pick(modelled)
    return (sum((x - y) ** 2 for x, y in zip(a, b)) / count) ** 0.5 / statistics.mean(modelled)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--only", choices=("speed", "hdd", "demerit", "ssd"))
    arguments = parser.parse_args()
    print("load average " + " ".join(f"{x:.2f}" for x in os.getloadavg()) + f", {os.cpu_count()} processors", flush=True)
    bench = Bench(arguments)
    for part in (bench.speed, bench.hdd, bench.demerit, bench.ssd):
        if arguments.only in (None, part.__name__):
            part()
            sys.stdout.flush()


if __name__ == "__main__":
    main()

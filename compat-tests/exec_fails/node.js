// child_process: the error of an exec that fails.
const { spawnSync } = require("child_process");
const folder = process.argv[2];
const lines = [["ip", "link"], ["/usr/sbin/ip", "link"], ["ip", "link", "show", "x".repeat(140000)], ["ip", ...Array(700000).fill("x")]];
for (const kind of ["closed", "script", "loop", "folder", "nothing"])
  lines.push([`${folder}/${kind}/ip`, "link"], [`${folder}/${kind}/sh`, "-c", "ip link set lo up"]);
for (const [file, ...words] of lines) {
  const { status, error, stdout } = spawnSync(file, words, { encoding: "utf8" });
  console.log(status, error && error.code, stdout);
}

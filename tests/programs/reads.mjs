// Says what each way of reading the clock shows, once for each line on stdin.
import { createInterface } from "node:readline";

const began = performance.now();
process.stdout.write("ready\n");
for await (const _ of createInterface({ input: process.stdin })) {
  const lines = [
    `Date.now ${Date.now() / 1000}`,
    `Date ${new Date().getTime() / 1000}`,
    `monotonic performance.now ${(performance.now() - began) / 1000}`,
    `monotonic hrtime ${Number(process.hrtime.bigint()) / 1e9}`,
    "end 0",
  ];
  process.stdout.write(lines.join("\n") + "\n");
}

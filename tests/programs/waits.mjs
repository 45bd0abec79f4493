// Waits for a span by the means named in its first argument, once it is told to on stdin, and says
// by the monotonic clock how long that took, and how far the wall clock moved meanwhile.
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";

const MEANS = {
  setTimeout: pause,
  "Atomics.wait": (span) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, span),
};

const [means, span] = [MEANS[process.argv[2]], Number(process.argv[3])];
process.stdout.write("ready\n");
await once(process.stdin, "data");
process.stdin.destroy();
const [wall, monotonic] = [Date.now(), performance.now()];
process.stdout.write("waiting\n");
await means(span * 1000);
process.stdout.write(`${(performance.now() - monotonic) / 1000} ${(Date.now() - wall) / 1000}\n`);

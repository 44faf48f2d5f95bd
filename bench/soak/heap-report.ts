/** Preloaded into a process: it answers each message of its parent with its memory after a collection. */
const { gc } = globalThis;

process.on('message', () => {
  gc?.();
  const { heapUsed: heap, rss: resident } = process.memoryUsage();
  process.send?.({ heap, resident });
});
// The channel must not keep the process running.
process.channel?.unref();

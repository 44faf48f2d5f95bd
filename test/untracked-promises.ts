/**
 * A module for `--import`: node:test follows no promises. It would follow each one to say in which
 * test an error began that nobody caught, and that takes a quarter of the time of these tests. Such an
 * error still fails the run, and its message is printed.
 */
import asyncHooks, { type HookCallbacks } from 'node:async_hooks';

const { createHook } = asyncHooks;

// node:test makes the first hook, when a test file imports it.
asyncHooks.createHook = (callbacks: HookCallbacks) => {
  asyncHooks.createHook = createHook;
  return createHook({ ...callbacks, trackPromises: false });
};

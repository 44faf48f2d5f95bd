import { setTimeout as wait } from 'node:timers/promises';

/** Milliseconds for which the end of the chat waits for the end of its turn. */
const PATIENCE = 1500;

/** Waits for the work, but not for long. */
export async function briefly(work: Promise<void>): Promise<void> {
  await Promise.race([work, wait(PATIENCE, undefined, { ref: false })]);
}

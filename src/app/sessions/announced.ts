/** Milliseconds after which the user is told what is waited for. */
const PATIENCE = 1500;

const LATE =
  'The sessions cannot be written at present: the disk may be full, or another program locks them. Toolfold tries again for two minutes.';

/** Says that the store of sessions lets the work wait, and when it is done after all. */
export async function announced<T>(work: Promise<T>, note: (text: string) => void): Promise<T> {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    note(LATE);
  }, PATIENCE);
  try {
    const result = await work;
    if (isLate) note('The sessions are written again.');
    return result;
  } finally {
    clearTimeout(timer);
  }
}

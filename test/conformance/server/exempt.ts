/** Scenarios that cannot pass in a pairing, with the reason. */
export const EXEMPT: Readonly<Record<string, string>> = {};

/** Toolfold's version as told to servers and people; a constant, so that bundling keeps it. */
export const VERSION = '0.1.0';

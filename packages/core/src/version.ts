/** Toolfold's version for servers and for display. A constant, so that bundling keeps it. */
export const VERSION = '0.1.0';

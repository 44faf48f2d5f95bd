/** The schema library, for rooms that check what other parties have written. */
export { z } from 'zod';

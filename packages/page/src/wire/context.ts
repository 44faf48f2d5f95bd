import { createContext } from 'svelte';
import type { OpenSession } from './open-session.svelte.ts';

/** The session that a component belongs to. */
export const [getSession, setSession] = createContext<OpenSession>();

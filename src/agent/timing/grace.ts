/** Milliseconds that tools which heed no signal are waited for. */
export const TOOL_GRACE = 5_000;

/**
 * Milliseconds that an agent may take to end, with so many levels of subagents below it: for its tools,
 * or for its engine, and then for what hooks make of a report.
 */
export function agentGrace(levels: number): number {
  return (levels === 0 ? TOOL_GRACE : engineGrace(levels)) + TOOL_GRACE;
}

/** Milliseconds that an engine has to end its children, of so many levels: half as much again as they need. */
export function engineGrace(levels: number): number {
  return 1.5 * agentGrace(levels - 1);
}

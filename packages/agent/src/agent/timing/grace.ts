/** How long to wait for tools that ignore the abort signal, in milliseconds. */
export const TOOL_GRACE = 5_000;

/**
 * The time that an agent with `levels` levels of subagents has to end, in milliseconds: for its tools or
 * its engine, and then for hooks on the report.
 */
export function agentGrace(levels: number): number {
  return (levels === 0 ? TOOL_GRACE : engineGrace(levels)) + TOOL_GRACE;
}

/** The time that an engine has to end its children, in milliseconds: 1.5 times what they need. */
export function engineGrace(levels: number): number {
  return 1.5 * agentGrace(levels - 1);
}

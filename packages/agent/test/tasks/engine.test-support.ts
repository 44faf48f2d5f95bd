import assert from 'node:assert/strict';
import { createInProcessEngine } from '../../src/subagents/in-process.ts';
import type {
  Batch,
  BatchRun,
  EngineUpdate,
  SubagentQuestion,
  SubagentResult,
  SubagentTask,
  Work,
  WorkOptions,
  WorkResult,
} from '../../src/tasks/engine.ts';

export const DONE: WorkResult = { status: 'done', text: 'all said' };
export const EVENT = { type: 'text', text: 'so far' } as const;

export function taskOf(child: string, timeout = 5_000): SubagentTask {
  const rest = { format: 'structured', without: [], ceiling: {}, depth: 0 } as const;
  return { child, id: `task of ${child}`, task: 'Look.', timeout, ...rest };
}

export function batchOf(children: string, concurrency = 4): Batch {
  return { tasks: children.split(' ').map((child) => taskOf(child)), concurrency };
}

export function question(id: string): SubagentQuestion {
  return { id, name: 'notes__delete', arguments: { id: 1 } };
}

/** An engine whose children are controlled by the test, with a record of all updates. */
export class Bench {
  readonly started: string[] = [];
  readonly updates: EngineUpdate[] = [];
  readonly #children = new Map<string, WorkOptions & PromiseWithResolvers<WorkResult>>();
  readonly #engine;
  /** Runs first at each update. */
  onUpdate: (update: EngineUpdate) => void = () => {};

  constructor(options?: { readonly slots?: number }, work?: Work) {
    const gated: Work = ({ child }, given) => {
      const gate = Promise.withResolvers<WorkResult>();
      this.started.push(child);
      this.#children.set(child, { ...given, ...gate });
      return gate.promise;
    };
    this.#engine = createInProcessEngine(work ?? gated, options);
  }

  start(batch: Batch): BatchRun {
    return this.#engine.start(batch, (update) => {
      this.updates.push(update);
      this.onUpdate(update);
    });
  }

  child(name: string): WorkOptions & PromiseWithResolvers<WorkResult> {
    const child = this.#children.get(name);
    assert.ok(child, `${name} has not started`);
    return child;
  }

  results(): SubagentResult[] {
    return this.updates.flatMap((update) => (update.type === 'result' ? [update.result] : []));
  }

  /** `a done`, `b failed: why`, in the order of the updates. */
  outcomes(): string[] {
    return this.results().map(
      ({ child, status, error }) => `${child} ${status}${error === undefined ? '' : `: ${error}`}`,
    );
  }
}

import { pick } from '@toolfold/core/internal/tools/values';
import type { ClientFile } from '@toolfold/mcp/internal/mcp/clients';
import type { PortableEntry } from './entry.ts';
import type { Candidate } from './merge.ts';
import type { InitPlan } from './plan.ts';

/** What `toolfold init --json` prints. */
export interface InitReport extends Pick<InitPlan, 'left' | 'equal' | 'variables' | 'notes'> {
  readonly config: string;
  readonly written: boolean;
  readonly files: readonly (Pick<ClientFile, 'client' | 'scope' | 'file' | 'state'> & {
    readonly reason?: string;
    readonly servers: readonly { readonly name: string; readonly disabled: boolean }[];
  })[];
  readonly servers: readonly {
    readonly name: string;
    readonly disabled: boolean;
    readonly existing: boolean;
    /** Without secrets. `null` for a server that is already in the file. */
    readonly entry: PortableEntry | null;
    readonly from: readonly Pick<Candidate, 'client' | 'file' | 'name'>[];
  }[];
  /** The rules of `exposure` that are added. */
  readonly exposure: Readonly<Record<string, string>>;
}

/** A plan as JSON. It holds no secret. */
export function initReport(plan: InitPlan, written: boolean): InitReport {
  const { target, servers, exposure } = plan;
  return {
    ...{ config: target.file, written },
    files: plan.files.map((file) => ({
      ...pick(file, 'client', 'scope', 'file', 'state'),
      ...(file.state === 'unreadable' ? { reason: file.reason } : {}),
      servers: (file.state === 'read' ? file.servers : []).map(({ name, isDisabled }) => ({
        ...{ name, disabled: isDisabled },
      })),
    })),
    servers: servers.map(({ name, isDisabled, isThere, entry, from }) => ({
      ...{ name, disabled: isDisabled, existing: isThere, entry: isThere ? null : entry },
      from: from.map((source) => pick(source, 'client', 'file', 'name')),
    })),
    exposure: Object.fromEntries(exposure),
    ...pick(plan, 'left', 'equal', 'variables', 'notes'),
  };
}

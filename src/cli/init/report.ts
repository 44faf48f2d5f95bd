import type { ClientFile } from '../../mcp/clients/index.ts';
import type { PortableEntry } from './entry.ts';
import type { InitPlan, LeftServer, NeededVariable, ServerNote } from './plan.ts';

/** What `toolfold init --json` prints. */
export interface InitReport {
  readonly config: string;
  readonly written: boolean;
  readonly files: readonly {
    readonly client: string;
    readonly scope: 'project' | 'user';
    readonly file: string;
    readonly state: 'read' | 'unreadable';
    readonly reason?: string;
    readonly servers: readonly { readonly name: string; readonly disabled: boolean }[];
  }[];
  readonly servers: readonly {
    readonly name: string;
    readonly disabled: boolean;
    readonly existing: boolean;
    /** Without secrets. `null` for a server that is already in the file. */
    readonly entry: PortableEntry | null;
    readonly from: readonly {
      readonly client: string;
      readonly file: string;
      readonly name: string;
    }[];
  }[];
  /** The rules of `exposure` that are added. */
  readonly exposure: Readonly<Record<string, string>>;
  readonly left: readonly LeftServer[];
  readonly equal: readonly (readonly [name: string, earlier: string])[];
  readonly variables: readonly NeededVariable[];
  readonly notes: readonly ServerNote[];
}

/** A plan as JSON. It holds no secret. */
export function initReport(plan: InitPlan, written: boolean): InitReport {
  const { target, files, servers, exposure, left, equal, variables, notes } = plan;
  return {
    config: target.file,
    written,
    files: files.flatMap((file) => fileReport(file)),
    servers: servers.map(({ name, isDisabled, isThere, entry, from }) => ({
      name,
      disabled: isDisabled,
      existing: isThere,
      entry: isThere ? null : entry,
      from: from.map((source) => ({
        client: source.client,
        file: source.file,
        name: source.name,
      })),
    })),
    exposure: Object.fromEntries(exposure),
    ...{ left, equal, variables, notes },
  };
}

function fileReport(file: ClientFile): InitReport['files'][number][] {
  if (file.state === 'absent') return [];
  const { client, scope, file: path, state } = file;
  const servers = file.state === 'read' ? file.servers : [];
  return [
    {
      ...{ client, scope, file: path, state },
      ...(file.state === 'read' ? {} : { reason: file.reason }),
      servers: servers.map(({ name, isDisabled }) => ({ name, disabled: isDisabled })),
    },
  ];
}

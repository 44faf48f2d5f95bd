import { createHash } from 'node:crypto';
import {
  canonicalJson,
  type JsonObject,
  ownProperties,
  ownProperty,
  parsedJson,
} from '@toolfold/core/internal/tools/values';
import type { ServerEntry } from '../config/index.ts';
import {
  type KnownRevision,
  keptListing,
  keptLists,
  type ListedTool,
  type OtherLists,
  type ServerListing,
} from '../connection/index.ts';
import { redact } from '../secrets/index.ts';

/** What a server listed when it was last asked. The catalog is made of it before the server starts. */
export interface Manifest {
  readonly listing: ServerListing;
  /** Changes with the tools. */
  readonly fingerprint: string;
  /** Milliseconds since 1970. */
  readonly listedAt: number;
  /** The lists of resources and prompts, if they were read. */
  readonly others?: OtherLists | undefined;
  /** The revision of the protocol, to skip the negotiation. */
  readonly known?: KnownRevision | undefined;
}

/** The version of the format. Files of other versions have other names. */
export const VERSION = 1;

export function manifestOf(
  listing: ServerListing,
  known: KnownRevision | undefined,
  listedAt: number,
): Manifest {
  return { listing, fingerprint: fingerprintOf(listing), listedAt, known };
}

export function fingerprintOf(listing: ServerListing): string {
  return createHash('sha256').update(canonicalJson(listing.tools)).digest('base64url');
}

/**
 * The key of a server's manifest: a hash of its name, its entry, and the capabilities of the host, because
 * servers list other tools for a host that can be asked. Secrets are left out, so that a new token keeps
 * the manifest. `undefined` for entries that have none.
 */
export function manifestKey(
  name: string,
  entry: ServerEntry,
  capabilities: object = {},
): string | undefined {
  if (entry.kind === 'unusable' || entry.kind === 'transport') return;
  const hide = (text: string): string => redact(text, entry.secrets);
  const named = (values: ReadonlyMap<string, string>): JsonObject =>
    Object.fromEntries([...values].map(([key, value]) => [key, hide(value)]));
  const content: JsonObject =
    entry.kind === 'stdio'
      ? {
          command: hide(entry.command),
          args: entry.args.map(hide),
          env: named(entry.env),
          cwd: entry.cwd ?? process.cwd(),
          ...(entry.passEnv && { passEnv: [...entry.passEnv] }),
        }
      : { kind: entry.kind, url: hide(entry.url), headers: named(entry.headers) };
  const host = capabilities as JsonObject;
  const offered = entry.tools && { tools: entry.tools };
  const identity = canonicalJson({ name, content, host, ...offered });
  return createHash('sha256').update(identity).digest('hex').slice(0, 40);
}

/** The text of a manifest's file. */
export function writeManifest(server: string, key: string, manifest: Manifest): string {
  const { listing, fingerprint, listedAt, known, others } = manifest;
  const facts = { version: VERSION, server, key, listedAt, fingerprint, known };
  return JSON.stringify({ ...facts, listing, others });
}

/** Reads a manifest's file. Throws with a reason in words if it cannot be used. */
export function readManifest(text: string, key: string): Manifest {
  const value = parsedJson(text);
  if (value === undefined) throw new Error('it is not JSON');
  if (ownProperty(value, 'version') !== VERSION) throw new Error('it has another version');
  if (ownProperty(value, 'key') !== key) throw new Error('it is the manifest of another server');
  const { listedAt, listing, known, others } = ownProperties(value);
  const read = keptListing(listing);
  if (typeof listedAt !== 'number' || read === undefined) {
    throw new Error('a part of it is missing');
  }
  const fingerprint = fingerprintOf(read);
  if (fingerprint !== ownProperty(value, 'fingerprint')) throw new Error('its tools were changed');
  const lists = others === undefined ? {} : { others: keptLists(others) };
  return { listing: read, fingerprint, listedAt, known: knownIn(known), ...lists };
}

function knownIn(value: unknown): KnownRevision | undefined {
  if (ownProperty(value, 'kind') === 'legacy') return { kind: 'legacy' };
  const discover = ownProperty(value, 'discover');
  const versions = ownProperty(discover, 'supportedVersions');
  if (ownProperty(value, 'kind') !== 'modern' || !Array.isArray(versions)) return;
  return { kind: 'modern', discover } as KnownRevision;
}

/** The names of the tools that differ between two lists. */
export function differences(
  before: readonly ListedTool[],
  after: readonly ListedTool[],
): Record<'added' | 'removed' | 'changed', readonly string[]> {
  const old = new Map(before.map((tool) => [tool.name, tool]));
  const now = new Set(after.map((tool) => tool.name));
  const isChanged = (tool: ListedTool): boolean => {
    const earlier = old.get(tool.name);
    return earlier !== undefined && canonicalJson(earlier) !== canonicalJson(tool);
  };
  return {
    added: after.filter((tool) => !old.has(tool.name)).map((tool) => tool.name),
    removed: before.filter((tool) => !now.has(tool.name)).map((tool) => tool.name),
    changed: after.filter(isChanged).map((tool) => tool.name),
  };
}

import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readPrivate, userFolder, writePrivate } from '@toolfold/config/internal/files';
import { errorMessage } from '@toolfold/core/internal/errors.ts';
import {
  canonicalJson,
  checkKnown,
  type JsonObject,
  type KnownOptions,
  ownProperties,
  ownProperty,
  parsedJson,
} from '@toolfold/core/internal/values';
import type { ServerEntry } from '../config/index.ts';
import {
  type KnownRevision,
  keptListing,
  keptLists,
  type ListedTool,
  type OtherLists,
  type ServerListing,
} from '../connection/index.ts';
import { redact } from '../redact.ts';

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
const VERSION = 1;

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
function writeManifest(server: string, key: string, manifest: Manifest): string {
  const { listing, fingerprint, listedAt, known, others } = manifest;
  const facts = { version: VERSION, server, key, listedAt, fingerprint, known };
  return JSON.stringify({ ...facts, listing, others });
}

/** Reads a manifest's file. Throws with a reason in words if it cannot be used. */
function readManifest(text: string, key: string): Manifest {
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

/**
 * Where manifests are kept between runs. `capabilities`: what the host announces to the server. A server
 * may list other tools for other capabilities, so each has a manifest of its own.
 */
export interface ManifestStore {
  /** The last manifest of a server. Never rejects: a manifest that cannot be read is absent. */
  load(server: string, entry: ServerEntry, capabilities?: object): Promise<Manifest | undefined>;
  /** Never rejects: the next run then starts the server to list its tools. */
  save(
    server: string,
    entry: ServerEntry,
    manifest: Manifest,
    capabilities?: object,
  ): Promise<void>;
}

/** Options of `manifestFiles`. */
export interface ManifestFilesOptions {
  /** Default: `manifests` in the user's cache folder. */
  readonly folder?: string;
  /** Called when a file cannot be used or written. The text names the server. */
  readonly onWarning?: (text: string) => void;
}

const MANIFEST_FILES_OPTIONS: KnownOptions<ManifestFilesOptions> = {
  folder: true,
  onWarning: true,
};

/** Keeps manifests as files that only the user can read, one for each server. */
export function manifestFiles(options: ManifestFilesOptions = {}): ManifestStore {
  checkKnown('manifestFiles()', options, MANIFEST_FILES_OPTIONS);
  const { folder = join(userFolder('cache'), 'manifests'), onWarning = () => {} } = options;
  const fileOf = (key: string): string => join(folder, `${key}.v${VERSION}.json`);
  return {
    async load(server, entry, capabilities) {
      const key = manifestKey(server, entry, capabilities);
      if (key === undefined) return;
      try {
        const text = await readPrivate(fileOf(key));
        return text === undefined ? undefined : readManifest(text, key);
      } catch (error) {
        onWarning(`The cached tool list of ${server} is not used: ${errorMessage(error)}.`);
        return;
      }
    },
    async save(server, entry, manifest, capabilities) {
      const key = manifestKey(server, entry, capabilities);
      if (key === undefined || entry.kind === 'unusable') return;
      const text = writeManifest(server, key, manifest);
      // A server may repeat its token in a description.
      if (entry.secrets.some((secret) => text.includes(secret))) {
        onWarning(`The tool list of ${server} is not cached: it contains a secret of its entry.`);
        return;
      }
      try {
        await writePrivate(fileOf(key), text);
      } catch (error) {
        onWarning(`The tool list of ${server} cannot be cached: ${errorMessage(error)}.`);
      }
    },
  };
}

/** Maximum files that are read. More than a user's servers, and few enough to be read while he waits. */
const MAX_FILES = 200;

/**
 * The names of the tools in cached lists, by server. Servers of one name in several configurations are
 * one. Never rejects: what cannot be read is left out.
 */
export async function cachedNames(
  folder: string = join(userFolder('cache'), 'manifests'),
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const files = await readdir(folder).catch(() => []);
  const current = files.filter((name) => name.endsWith(`.v${VERSION}.json`)).slice(0, MAX_FILES);
  const found = new Map<string, Set<string>>();
  const read = (name: string) => readPrivate(join(folder, name)).catch(() => undefined);
  for (const text of await Promise.all(current.map(read))) {
    const manifest = parsedJson(text ?? '');
    const server = ownProperty(manifest, 'server');
    const tools = ownProperty(ownProperty(manifest, 'listing'), 'tools');
    if (typeof server !== 'string' || !Array.isArray(tools)) continue;
    const names = found.get(server) ?? new Set();
    for (const tool of tools) {
      const name = ownProperty(tool, 'name');
      if (typeof name === 'string') names.add(name);
    }
    found.set(server, names);
  }
  return found;
}

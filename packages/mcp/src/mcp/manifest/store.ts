import { join } from 'node:path';
import { readPrivate, userFolder, writePrivate } from '@toolfold/config/internal/files';
import { errorMessage } from '@toolfold/core/internal/errors.ts';
import { checkKnown, type KnownOptions } from '@toolfold/core/internal/tools/names';
import type { ServerEntry } from '../config/index.ts';
import { type Manifest, manifestKey, readManifest, VERSION, writeManifest } from './manifest.ts';

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

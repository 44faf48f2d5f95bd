import { basename, resolve } from 'node:path';
import { hashText } from '@toolfold/core/internal/tools/values';
import { isLoopback } from '@toolfold/mcp/internal/gateway';
import type { ServerEntry, ToolfoldConfig } from '@toolfold/mcp/internal/mcp';
import { realPath } from '../../app/files/index.ts';
import { usageError } from '../../app/terminal/index.ts';

/** The entry that takes the place of one that starts this very gateway. */
const REFUSED: ServerEntry = {
  kind: 'unusable',
  reason: 'it is this gateway itself',
  remedy: 'Remove its entry, or give the gateway a configuration of its own with --config.',
};

/** The configuration with entries that would start the gateway in itself made unusable. `port`: where it listens. */
export function withoutItself(config: ToolfoldConfig, port: number | undefined): ToolfoldConfig {
  const entries = [...config.servers].map(([name, entry]) => {
    const isOwn = startsItself(entry, config.file) || isAt(entry, port);
    return [name, isOwn ? REFUSED : entry] as const;
  });
  return { ...config, servers: new Map(entries) };
}

/** The variable with the gateways that started this process, outermost first, each by its configuration. */
const STARTED_BY = 'TOOLFOLD_SERVING';

/** Notes for the servers that this gateway starts them. Throws if one of them has started this gateway. */
export function markServers(file: string): void {
  const own = hashText(realPath(file), 16);
  const above = process.env[STARTED_BY]?.split(',') ?? [];
  if (above.includes(own))
    throw usageError(
      'This gateway was started by itself, through another gateway.',
      'Remove it from the configuration of the other gateway, or the other way round.',
    );
  process.env[STARTED_BY] = [...above, own].join(',');
}

function startsItself(entry: ServerEntry, file: string): boolean {
  if (entry.kind !== 'stdio') return false;
  const words = [entry.command, ...entry.args].flatMap((word) => word.split(/\s+/));
  const at = words.findIndex((word) => /^toolfold(\.(js|cmd|mjs))?(@.*)?$/.test(basename(word)));
  const serve = words.indexOf('serve', at + 1);
  if (at < 0 || serve < 0) return false;
  const given = words.slice(serve).flatMap((word, index, all) => {
    if (word.startsWith('--config=')) return word.slice('--config='.length);
    return word === '--config' ? (all[index + 1] ?? []) : [];
  })[0];
  // Without a file it finds the same one as this gateway did.
  return given === undefined || realPath(resolve(entry.cwd ?? '.', given)) === realPath(file);
}

function isAt(entry: ServerEntry, port: number | undefined): boolean {
  if (port === undefined || (entry.kind !== 'http' && entry.kind !== 'sse')) return false;
  const url = new URL(entry.url);
  return Number(url.port) === port && isLoopback(url.hostname);
}

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import type { Context, Handler } from 'hono';

/** The folder of the built page. */
const BUILD = join(
  dirname(createRequire(import.meta.url).resolve('toolfold/package.json')),
  'page-build',
);

/** No part of it begins with a dot, so that it stays in the folder. */
const PATH = /^(?:\/\w[\w.-]*)+$/;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

/** What is shown in place of a page that is not built. */
export const MISSING = 'The page is not built. In a checkout: npm run build:page';

export function isPageBuilt(folder: string = BUILD): boolean {
  return existsSync(join(folder, 'index.html'));
}

/** Serves the files of the built page. They hold nothing of the user, so that they need no token. */
export function pageFiles(folder: string = BUILD): Handler {
  return async (context: Context) => {
    const path = context.req.path === '/' ? '/index.html' : context.req.path;
    const type = TYPES[extname(path)];
    const isName = PATH.test(path) && type !== undefined;
    const bytes = isName ? await readFile(join(folder, path)).catch(() => undefined) : undefined;
    // A name under `assets` changes with its content.
    const age = path.startsWith('/assets/') ? 'max-age=31536000, immutable' : 'no-cache';
    if (bytes && type)
      return context.body(new Uint8Array(bytes), 200, {
        'content-type': type,
        'cache-control': age,
      });
    return context.text(isPageBuilt(folder) ? 'There is no such file.' : MISSING, 404);
  };
}

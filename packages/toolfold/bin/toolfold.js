#!/usr/bin/env node
// Plain JavaScript that old versions of Node can parse. `check-node.js` ends them with a message.
import { mkdirSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { isCheckout } from './check-node.js';

function load(name) {
  var path = isCheckout ? `../src/${name}.ts` : `../dist/${name}.js`;
  return import(new URL(path, import.meta.url).href);
}

// Compiled code is kept between runs, in a folder of the user alone, because whoever writes there can
// change what runs. NODE_COMPILE_CACHE names another folder, NODE_DISABLE_COMPILE_CACHE=1 means none.
function keepCompiledCode(folders) {
  var folder = join(folders.userFolder('cache'), 'compiled');
  if (module.getCompileCacheDir() !== undefined || process.env.NODE_DISABLE_COMPILE_CACHE) return;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    module.enableCompileCache(folder);
  } catch {
    // It is slower without.
  }
}

import('@toolfold/config/internal/files/user-folder.ts')
  .then(keepCompiledCode)
  .then(() => load('cli/main'))
  .then((cli) => cli.main(process.argv.slice(2)));

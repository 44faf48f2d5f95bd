#!/usr/bin/env node
// Plain JavaScript that old versions of Node can parse: they must get to the message below.
import { existsSync, mkdirSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';

var version = process.versions.node.split('.').map(Number);
if (version[0] < 22 || (version[0] === 22 && version[1] < 19)) {
  process.stderr.write(
    'toolfold needs Node 22.19 or newer, this is ' +
      process.versions.node +
      '. In a project run "npm install node@24" and then "npx toolfold". In a checkout run "npm ci" and then "npx toolfold".\n',
  );
  process.exit(1);
}

// A checkout runs its sources; the published package has only what was built from them.
var isCheckout = existsSync(new URL('../src/cli/main.ts', import.meta.url));
function load(name) {
  var built = name.replace(/^cli\//, 'command/');
  var path = isCheckout ? `../src/${name}.ts` : `../dist/${built}.js`;
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

load('files/user-folder')
  .then(keepCompiledCode)
  .then(() => load('cli/main'))
  .then((cli) => cli.main(process.argv.slice(2)));

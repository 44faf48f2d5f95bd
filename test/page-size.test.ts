// test: slow
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { root } from './tree.ts';

const folder = join(root, 'packages/toolfold/page-build');
const sizeOf = (file: string) => gzipSync(readFileSync(join(folder, file))).length;

/** Bytes with gzip: what the first view loads, and all there is. */
const FIRST = 70_000;
const ALL = 100_000;

test('the page is small', () => {
  const index = readFileSync(join(folder, 'index.html'), 'utf8');
  const loaded = [...index.matchAll(/(?:src|href)="\/([^"]+)"/g)].map(([, file = '']) => file);
  const first = ['index.html', ...loaded].reduce((sum, file) => sum + sizeOf(file), 0);
  const assets = readdirSync(join(folder, 'assets')).map((file) => sizeOf(`assets/${file}`));
  const all = sizeOf('index.html') + sizeOf('icon.svg') + assets.reduce((sum, size) => sum + size);
  assert.ok(first <= FIRST, `the first view loads ${first} bytes`);
  assert.ok(all <= ALL, `all are ${all} bytes`);
});

import { build } from 'esbuild';

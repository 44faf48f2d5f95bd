import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

// biome-ignore lint/style/noDefaultExport: Vite reads it.
export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: '../toolfold/page-build',
    emptyOutDir: true,
    // The policy of the page forbids data: scripts and styles, and each file has its own address.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
  },
});

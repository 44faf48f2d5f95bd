const { NODE_COMPILE_CACHE: folder } = process.env;

/**
 * Where Node keeps compiled code between processes, for the environment of those a test starts. They
 * keep none in their own folders.
 */
export const compileCache: Readonly<Record<string, string>> = folder
  ? { NODE_COMPILE_CACHE: folder }
  : { NODE_DISABLE_COMPILE_CACHE: '1' };

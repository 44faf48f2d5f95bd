/**
 * The variables that servers inherit: the six that the SDK passes on, then language, time zone, folders,
 * certificates and proxies, and which gateways started them. No name of a key is among them: the
 * whole environment holds the keys of other programs. On Windows the SDK adds its own.
 */
const INHERITED =
  /^(HOME|LOGNAME|PATH|SHELL|TERM|USER|LANG|LC_.*|TZ|TMPDIR|XDG_.*|NODE_EXTRA_CA_CERTS|SSL_CERT_.*|https?_proxy|no_proxy|HTTPS?_PROXY|NO_PROXY|TOOLFOLD_SERVING)$/;

type Environment = Readonly<Record<string, string | undefined>>;

/** What a server inherits, and what its entry passes on: names, which may end with `*`. */
export function inheritedEnvironment(
  passEnv: readonly string[] = [],
  env: Environment = process.env,
): Record<string, string> {
  const passed = passedVariables(passEnv, env);
  const inherited = Object.entries(env).filter(
    // A function of a shell, as the SDK leaves out too.
    ([name, value]) => INHERITED.test(name) && value?.startsWith('()') === false,
  );
  return Object.fromEntries([...inherited, ...passed] as [string, string][]);
}

/** The variables that an entry passes on, with their values. */
export function passedVariables(
  passEnv: readonly string[],
  env: Environment,
): readonly (readonly [name: string, value: string])[] {
  const isPassed = (name: string): boolean =>
    passEnv.some((one) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : name === one));
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && isPassed(name) ? [[name, value] as const] : [],
  );
}

import { plainLine } from '../../tools/values/index.ts';

/** The values that `${...}` in a server's entry can refer to. */
export interface VariableScope {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly workspaceFolder: string;
  /** The folder in which the host works. */
  readonly root: string;
  /** Default of each `inputs` element by id; `undefined` for one without a default. */
  readonly inputs: ReadonlyMap<string, string | undefined>;
}

/** The reason why a text could not be filled in. It names variables, never their values. */
export interface UnfilledVariable {
  readonly reason: string;
  readonly remedy: string;
}

/**
 * Fills in `${VAR}`, `${VAR:-default}` (Claude Code), `${env:VAR}`, `${workspaceFolder}` and
 * `${input:id}` (VS Code, Cursor), and `${ROOT}`, the folder in which the host works. As in a shell, the default after `:-` also replaces an empty value.
 * Values are not expanded again. `onValue` is called with the name and value of each filled-in variable.
 */
export function fillIn(
  text: string,
  scope: VariableScope,
  onValue: (name: string, value: string) => void,
): string | UnfilledVariable {
  let unfilled: UnfilledVariable | undefined;
  const filled = text.replace(/\$\{([^{}]*)\}/g, (whole, inner: string) => {
    const value = lookUp(inner, scope);
    if (typeof value === 'string') {
      if (inner !== 'workspaceFolder' && inner !== 'ROOT') onValue(nameIn(inner), value);
      return value;
    }
    unfilled ??= value;
    return whole;
  });
  return unfilled ?? filled;
}

/** The name `TOKEN` in `env:TOKEN`, `TOKEN:-default` and `input:TOKEN`. */
function nameIn(inner: string): string {
  return inner.replace(/^(?:env|input):/, '').replace(/:-.*$/s, '');
}

function lookUp(inner: string, scope: VariableScope): string | UnfilledVariable {
  if (inner === 'workspaceFolder') return scope.workspaceFolder;
  if (inner === 'ROOT') return scope.root;
  if (inner.startsWith('input:')) return lookUpInput(inner.slice('input:'.length), scope);
  const match = /^(?:env:)?([A-Za-z_][\w.()-]*?)(?::-(.*))?$/s.exec(inner);
  if (match === null || match[1] === undefined) {
    return {
      reason: `\${${plainLine(nameIn(inner), 60)}} is not a variable Toolfold knows`,
      remedy: `Use \${NAME}, \${NAME:-default}, \${env:NAME}, \${workspaceFolder}, \${ROOT} or \${input:id}.`,
    };
  }
  const [, name, fallback] = match;
  const value = Object.hasOwn(scope.env, name) ? scope.env[name] : undefined;
  if (fallback !== undefined) return value === undefined || value === '' ? fallback : value;
  return (
    value ?? {
      reason: `the environment variable ${name} is not set`,
      remedy: `Set ${name}, or give a default: \${${name}:-default}.`,
    }
  );
}

function lookUpInput(id: string, scope: VariableScope): string | UnfilledVariable {
  const value = scope.inputs.get(id);
  if (value !== undefined) return value;
  return scope.inputs.has(id)
    ? {
        reason: `it needs the input "${id}", which has no default`,
        remedy: `Give the input "${id}" a "default", or use an environment variable instead.`,
      }
    : {
        reason: `it needs the input "${id}", which the file does not define`,
        remedy: `Add "${id}" to "inputs".`,
      };
}

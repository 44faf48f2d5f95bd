import { basename, sep } from 'node:path';
import { plainLine } from '@toolfold/core/internal/values';
import { EntryProblem } from './entry-schema.ts';

/** The values that `${...}` in a server's entry can refer to. */
export interface VariableScope {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly workspaceFolder: string;
  /** The folder in which the host works. */
  readonly root: string;
  readonly home: string;
  /** Default of each `inputs` element by id; `undefined` for one without a default. */
  readonly inputs: ReadonlyMap<string, string | undefined>;
}

/**
 * Fills in `${VAR}`, `${VAR:-default}` (Claude Code), `${env:VAR}`, `${input:id}`, `${userHome}`,
 * `${workspaceFolder}` and others (VS Code, Cursor), and `${ROOT}`, the folder in which the host works. As in a shell, the
 * default after `:-` also replaces an empty value. Values are not expanded again. `onValue` is called with
 * the name and value of each filled-in variable. Throws `EntryProblem`, which names variables, never their
 * values.
 */
export function fillIn(
  text: string,
  scope: VariableScope,
  onValue: (name: string, value: string) => void,
): string {
  if (/\$\{[^{}]*\$\{/.test(text))
    throw new EntryProblem(
      'it has a variable inside another variable',
      'Write each variable by itself: a default after ":-" is a plain text.',
    );
  return text.replace(/\$\{([^{}]*)\}/g, (_, inner: string) => {
    const place = placeIn(inner, scope);
    if (place !== undefined) return place;
    const value = lookUp(inner, scope);
    onValue(nameIn(inner), value);
    return value;
  });
}

/** The name `TOKEN` in `env:TOKEN`, `TOKEN:-default` and `input:TOKEN`. */
function nameIn(inner: string): string {
  return inner.replace(/^(?:env|input):/, '').replace(/:-.*$/s, '');
}

/** The value of a variable that stands for a place. */
function placeIn(
  inner: string,
  { workspaceFolder, root, home }: VariableScope,
): string | undefined {
  switch (inner) {
    case 'workspaceFolder':
    case 'workspaceRoot':
      return workspaceFolder;
    case 'workspaceFolderBasename':
      return basename(workspaceFolder);
    case 'ROOT':
      return root;
    case 'userHome':
      return home;
    case 'pathSeparator':
    case '/':
      return sep;
    default:
      return;
  }
}

function lookUp(inner: string, scope: VariableScope): string {
  if (inner.startsWith('input:')) return lookUpInput(inner.slice('input:'.length), scope);
  const match = /^(?:env:)?([A-Za-z_][\w.()-]*?)(?::-(.*))?$/s.exec(inner);
  if (match === null || match[1] === undefined) {
    throw new EntryProblem(
      `\${${plainLine(nameIn(inner), 60)}} is not a variable Toolfold knows`,
      `Use \${NAME}, \${NAME:-default}, \${env:NAME}, \${workspaceFolder}, \${userHome}, \${ROOT} or \${input:id}.`,
    );
  }
  const [, name, fallback] = match;
  const value = Object.hasOwn(scope.env, name) ? scope.env[name] : undefined;
  if (fallback !== undefined) return value === undefined || value === '' ? fallback : value;
  if (value !== undefined) return value;
  throw new EntryProblem(
    `the environment variable ${name} is not set`,
    `Set ${name}, or give a default: \${${name}:-default}.`,
  );
}

function lookUpInput(id: string, { inputs }: VariableScope): string {
  const value = inputs.get(id);
  if (value !== undefined) return value;
  throw inputs.has(id)
    ? new EntryProblem(
        `it needs the input "${id}", which has no default`,
        `Give the input "${id}" a "default", or use an environment variable instead.`,
      )
    : new EntryProblem(
        `it needs the input "${id}", which the file does not define`,
        `Add "${id}" to "inputs".`,
      );
}

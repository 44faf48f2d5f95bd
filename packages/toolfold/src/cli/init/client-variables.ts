// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of configuration files
import { posix, win32 } from 'node:path';
import { quote } from '@toolfold/config/internal/config/quoting';
import type { ClientInput } from '@toolfold/mcp/internal/mcp/clients';
import { isSecretDefault } from './secret-parts.ts';
import { variableName } from './variable-names.ts';

/** What the variables of a client's file stand for. */
export interface ClientScope {
  /** The folder that `${workspaceFolder}` means in the client's file. */
  readonly workspace: string;
  /** Whether it means the same folder in the merged file. */
  readonly isSameWorkspace: boolean;
  readonly platform: NodeJS.Platform;
  readonly inputs: readonly ClientInput[];
}

/**
 * The text with the variables that Toolfold reads. `${VAR}` stays. Calls `note` with what changes its
 * meaning, or has none.
 */
export function withOwnVariables(
  text: string,
  scope: ClientScope,
  note: (text: string) => void,
): string {
  const { sep, basename } = scope.platform === 'win32' ? win32 : posix;
  return text.replace(/\$\{([^{}]*)\}/g, (whole, inner: string) => {
    if (inner === 'workspaceFolder' || inner === 'workspaceRoot') {
      if (scope.isSameWorkspace) return '${workspaceFolder}';
      note(`\${${inner}} is now ${scope.workspace}`);
      return scope.workspace;
    }
    if (inner === 'workspaceFolderBasename') return basename(scope.workspace);
    if (inner === 'userHome') return scope.platform === 'win32' ? '${USERPROFILE}' : '${HOME}';
    if (inner === 'pathSeparator' || inner === '/') return sep;
    if (inner.startsWith('input:')) return ofInput(inner.slice('input:'.length), scope.inputs);
    if (/^(?:env:)?[A-Za-z_][\w.()-]*(?::-.*)?$/s.test(inner)) return whole;
    note(`Toolfold does not know the variable ${quote(inner.replace(/:-.*$/s, ''))}`);
    return whole;
  });
}

function ofInput(id: string, inputs: readonly ClientInput[]): string {
  const name = variableName(id);
  const start = inputs.find((input) => input.id === id)?.default;
  const isKept = start !== undefined && start !== '' && !/[{}]/.test(start);
  if (!isKept || isSecretDefault([id], start)) return `\${${name}}`;
  return `\${${name}:-${start}}`;
}

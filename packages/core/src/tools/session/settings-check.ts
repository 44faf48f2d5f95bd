import { errorMessage } from '../../errors.ts';
import type { SettingsCheck } from '../epoch/index.ts';
import { onDemand } from '../values/index.ts';
import type { IgnoredSettings, IgnoredSettingsOptions } from './ignored-settings.ts';

/** Checks for settings without effect. Their code is loaded with the first check, and only if somebody wants warnings. */
export function checkSettings(options: IgnoredSettingsOptions | undefined): SettingsCheck {
  let loaded: IgnoredSettings | undefined;
  const load = onDemand(async () => {
    const { IgnoredSettings } = await import('./ignored-settings.ts');
    loaded = new IgnoredSettings(options as IgnoredSettingsOptions);
    return loaded;
  });
  const use = (check: (ignored: IgnoredSettings) => void) => {
    if (!options) return;
    if (loaded) check(loaded);
    else Promise.resolve(load()).then(check, (error) => options.warn(errorMessage(error)));
  };
  return {
    checkStrategy: (wanted) => use((ignored) => ignored.checkStrategy(wanted)),
    checkDeclared: (...given) => use((ignored) => ignored.checkDeclared(...given)),
    checkGlobs: () => use((ignored) => ignored.checkGlobs()),
    setHostNames: (names) => use((ignored) => ignored.setHostNames(names)),
    addGlobs: (session) => use((ignored) => ignored.addGlobs(session)),
  };
}

import { errorMessage } from '../../errors.ts';
import type { SettingsCheck } from '../epoch/index.ts';
import { onDemand } from '../values/index.ts';
import type { IgnoredSettings, IgnoredSettingsOptions } from './ignored-settings.ts';

/** Checks for settings without effect. Their code is loaded with the first check, and only if somebody wants warnings. */
export function checkSettings(options: IgnoredSettingsOptions | undefined): SettingsCheck {
  const load = onDemand(async () => {
    const { IgnoredSettings } = await import('./ignored-settings.ts');
    return new IgnoredSettings(options as IgnoredSettingsOptions);
  });
  const use = (check: (ignored: IgnoredSettings) => void) => {
    if (!options) return;
    const loaded = load();
    if (loaded instanceof Promise) loaded.then(check, (error) => options.warn(errorMessage(error)));
    else check(loaded);
  };
  return {
    checkStrategy: (wanted) => use((ignored) => ignored.checkStrategy(wanted)),
    checkGlobs: () => use((ignored) => ignored.checkGlobs()),
    setHostNames: (names) => use((ignored) => ignored.setHostNames(names)),
    addGlobs: (session) => use((ignored) => ignored.addGlobs(session)),
  };
}

/** A region that scrolls must be reached with the keyboard, which this rule takes for a mistake. */
const warningFilter = ({ code }) => code !== 'a11y_no_noninteractive_tabindex';

// biome-ignore lint/style/noDefaultExport: Svelte reads it.
export default { compilerOptions: { warningFilter } };

import type { YamlValue } from './values.ts'

/** Do the `rules` of an `include` let the file be included? Undefined means no rules. */
export type IncludeRules = (rules: YamlValue | undefined) => Promise<boolean>

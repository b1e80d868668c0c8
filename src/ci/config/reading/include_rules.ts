import type { YamlValue } from './values.ts'

/** Is a file included, by the `rules` of its `include`? Undefined is no rules. */
export type IncludeRules = (rules: YamlValue | undefined) => Promise<boolean>

/** Formatting of counts of changed files. */
import { defaultDiffLimits } from '../../../platform/git/index.ts'

/** Contract: a string; above the limit it is `1000+` (decision 41). */
export const countShown = (files: number): string => (files > defaultDiffLimits.files ? `${defaultDiffLimits.files}+` : String(files))

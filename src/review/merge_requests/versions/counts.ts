/** Numbers of changed files as they are shown. */
import { defaultDiffLimits } from '../../../platform/git/diffs/limits.ts'

/** Contract: a text; above the limit it says `1000+` (decision 41). */
export const countShown = (files: number): string => (files > defaultDiffLimits.files ? `${defaultDiffLimits.files}+` : String(files))

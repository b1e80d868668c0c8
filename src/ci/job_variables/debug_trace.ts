/** Jobs whose logs show all of their variables (`CI_DEBUG_TRACE`). */
import type { RunnerVariable } from './precedence.ts'

/** What runners of the ecosystem take for true. */
const ON = /^(1|t|true)$/i

/** Does a job with these variables show them all in its log? Pure. */
export const isDebugTraced = (variables: readonly Pick<RunnerVariable, 'key' | 'value'>[]): boolean =>
  variables.some(({ key, value }) => key === 'CI_DEBUG_TRACE' && ON.test(value.reveal()))

/** What a job does to its environment (`environment: action`). Pure. */
import type { JobRow } from '../../ci/jobs/queries.ts'

/** Does the job deploy to its environment? The others prepare, verify, use or stop it. */
export const deploys = ({ environment, options }: Pick<JobRow, 'environment' | 'options'>): boolean =>
  environment !== null && (options.environment?.action ?? 'start') === 'start'

/** Does the job stop its environment? */
export const stops = ({ environment, options }: Pick<JobRow, 'environment' | 'options'>): boolean =>
  environment !== null && options.environment?.action === 'stop'

/**
 * The dialect of runners: plain JSON, and tokens of their own in the body or in `JOB-TOKEN`, which are valid nowhere else. The commands
 * look up the owner of a token (runners/access.ts, job_access.ts), since it is a parameter.
 */
import { anonymous } from '../../platform/access/actor.ts'
import { type Dialect, rest } from '../../platform/kernel/declaration/dialect.ts'

export const runner: Dialect = {
  ...rest,
  name: 'runner',
  headers: { 'cache-control': 'no-store' },
  credentials: [],
  // The tokens are parameters.
  errors: ['forbidden'],
  authenticate: async () => anonymous,
}

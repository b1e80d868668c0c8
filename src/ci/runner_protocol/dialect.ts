/**
 * How runners speak: JSON as everywhere, and tokens of their own in the body or in `JOB-TOKEN`, which open nothing else. Whom a token
 * belongs to is found by the commands (runners/access.ts, job_access.ts), since it is a parameter.
 */
import { anonymous } from '../../platform/access/actor.ts'
import { type Dialect, rest } from '../../platform/kernel/dialect.ts'

export const runner: Dialect = {
  ...rest,
  name: 'runner',
  headers: { 'cache-control': 'no-store' },
  credentials: [],
  authenticate: async () => anonymous,
}

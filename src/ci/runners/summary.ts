/** A runner as other resources embed it (decision 23). */
import { flag, integer, Nullable, OneOf, text } from '../../platform/kernel/declaration/types.ts'
import { ONLINE, type RunnerRow, staleSince } from './queries.ts'

export const runnerStatuses = ['online', 'offline', 'not_connected', 'paused'] as const
export type RunnerStatus = (typeof runnerStatuses)[number]

/** Has the runner sent a request lately? */
export const isOnline = ({ contacted_at }: Pick<RunnerRow, 'contacted_at'>, now: Date): boolean =>
  contacted_at !== null && now.getTime() - Date.parse(contacted_at) < ONLINE

/** The status of a runner at `now`. Pure. */
export function runnerStatusOf(row: Pick<RunnerRow, 'active' | 'contacted_at'>, now: Date): RunnerStatus {
  if (!row.active) return 'paused'
  return row.contacted_at === null ? 'not_connected' : isOnline(row, now) ? 'online' : 'offline'
}

/** Whether a runner reaches the server, as pages show it. */
export type RunnerContact = 'online' | 'offline' | 'stale' | 'never_contacted'

/** Whether a runner reaches the server at `now`: the platform's states after 14.0, which the status of the API does not know. Pure. */
export function runnerContactOf(row: Pick<RunnerRow, 'contacted_at' | 'created_at'>, now: Date): RunnerContact {
  if (isOnline(row, now)) return 'online'
  if (Date.parse(row.contacted_at ?? row.created_at) <= staleSince(now).getTime()) return 'stale'
  return row.contacted_at === null ? 'never_contacted' : 'offline'
}

/** The fields of a runner as others embed it. */
export const runnerSummaryFields = {
  id: integer('ID, unique on the instance'),
  description: Nullable(text('Description of the runner; null where there is none')),
  ip_address: Nullable(text('IP address; null where unknown')),
  active: flag('Whether the runner takes jobs'),
  is_shared: flag('Whether the runner serves the whole instance'),
  runner_type: OneOf(['instance_type', 'group_type', 'project_type'], {
    description: 'Whom the runner serves: `instance_type`, `group_type` or `project_type`',
  }),
  name: Nullable(text("Name of the runner's program; null until it reports one")),
  online: flag('Whether the runner contacted the server lately'),
  status: OneOf(runnerStatuses, { description: '`online`, `offline`, `not_connected` or `paused`' }),
}

/** The values of `runnerSummaryFields`. */
export const presentRunnerSummary = (row: RunnerRow, { now }: { readonly now: Date }) => ({
  id: row.id,
  description: row.description,
  ip_address: row.ip_address,
  active: row.active,
  is_shared: row.runner_type === 'instance_type',
  runner_type: row.runner_type,
  name: row.name,
  online: isOnline(row, now),
  status: runnerStatusOf(row, now),
})

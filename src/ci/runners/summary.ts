/** A runner as other resources embed it (decision 23). */
import Type from 'typebox'
import { Nullable, OneOf } from '../../platform/kernel/types.ts'
import type { RunnerRow } from './queries.ts'

/** A runner is online for this long after a request, in milliseconds: two hours (runners API, 14.0). */
export const ONLINE = 2 * 60 * 60 * 1000

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

/** The fields of a runner as others embed it. */
export const runnerSummaryFields = {
  id: Type.Integer(),
  description: Nullable(Type.String()),
  ip_address: Nullable(Type.String()),
  active: Type.Boolean(),
  is_shared: Type.Boolean(),
  runner_type: OneOf(['instance_type', 'group_type', 'project_type']),
  name: Nullable(Type.String()),
  online: Type.Boolean(),
  status: OneOf(runnerStatuses),
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

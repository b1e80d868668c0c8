/** Lists of pipelines (pipelines API at 14.0). */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'
import { anyOf } from '../../../platform/db/statements/any.ts'
import { allRefs, shortNameOf } from '../../../platform/git/index.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { findRepository } from '../../../spaces/projects/repository/store.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import type { PipelineSource } from '../../config/index.ts'
import type { JobStatus } from '../../states.ts'
import { pipelines } from '../queries.ts'

export const pipelineScopes = ['running', 'pending', 'finished', 'branches', 'tags'] as const
export const pipelineOrders = ['id', 'status', 'ref', 'updated_at', 'user_id'] as const

/** Filters and order of the list of a project's pipelines. Bounds are inclusive (decision 41). */
export interface PipelineFilters {
  readonly scope?: (typeof pipelineScopes)[number] | undefined
  readonly status?: JobStatus | undefined
  readonly source?: PipelineSource | undefined
  /** A branch or tag. */
  readonly ref?: string | undefined
  readonly sha?: string | undefined
  /** True: only those with an invalid CI file; false: only the others. */
  readonly yaml_errors?: boolean | undefined
  /** Name of the user they run for. */
  readonly name?: string | undefined
  readonly username?: string | undefined
  readonly updated_after?: string | undefined
  readonly updated_before?: string | undefined
  readonly order_by: (typeof pipelineOrders)[number]
  readonly sort: 'asc' | 'desc'
}

/** The statuses of the scope `finished`. */
const finished: readonly JobStatus[] = ['success', 'failed', 'canceled']

/** The pipelines of a project that match the filters. */
export async function pipelinesOfProject(ctx: Context, project: ProjectWithRole, { order_by, sort, ...wanted }: PipelineFilters) {
  const { db } = ctx
  let query = pipelines(db).where('pipelines.project_id', '=', project.id)
  const { scope, status, source, ref, sha, yaml_errors, name, username, updated_after, updated_before } = wanted
  // Contract: child pipelines are listed only if their source is requested (pipelines API).
  query = source === undefined ? query.where('source', '<>', 'parent_pipeline') : query.where('source', '=', source)
  if (scope === 'running' || scope === 'pending') query = query.where('status', '=', scope)
  if (scope === 'finished') query = query.where('status', '=', anyOf(finished))
  if (scope === 'branches' || scope === 'tags') query = query.where('pipelines.id', 'in', await latestOfEach(ctx, project, scope))
  if (status !== undefined) query = query.where('status', '=', status)
  if (ref !== undefined) query = query.where('ref', '=', ref)
  if (sha !== undefined) query = query.where('sha', '=', sha)
  if (yaml_errors !== undefined) query = query.where('yaml_errors', yaml_errors ? 'is not' : 'is', null)
  if (name !== undefined) query = query.where('user_id', 'in', usersWhere(db, sql`users.name = ${name}`))
  if (username !== undefined) query = query.where('user_id', 'in', usersWhere(db, sql`lower(users.username) = lower(${username})`))
  if (updated_after !== undefined) query = query.where('pipelines.updated_at', '>=', updated_after)
  if (updated_before !== undefined) query = query.where('pipelines.updated_at', '<=', updated_before)
  const ordered = query.orderBy(`pipelines.${order_by}`, sort)
  return order_by === 'id' ? ordered : ordered.orderBy('pipelines.id', sort)
}

const usersWhere = (db: Db, condition: RawBuilder<boolean>) => db.selectFrom('users').select('users.id').where(condition)

/** The ids of the newest pipelines of the existing branches, or tags: one git process. */
async function latestOfEach({ deps }: Context, project: ProjectWithRole, scope: 'branches' | 'tags'): Promise<RawBuilder<number>> {
  const repository = await findRepository(deps.storages, project)
  const refs = repository ? [...(await allRefs(repository)).keys()].flatMap(ref => shortNameOf(ref) ?? []) : []
  const kind = scope === 'branches' ? 'branch' : 'tag'
  const names = refs.filter(ref => ref.kind === kind).map(ref => ref.name)
  return sql<number>`(select latest.id from unnest(${names}::text[]) as named(ref) cross join lateral (
    select id from pipelines where project_id = ${project.id} and pipelines.ref = named.ref and tag = ${kind === 'tag'} and source <> 'parent_pipeline'
     order by id desc limit 1) as latest)`
}

/** A runner as JSON (runners API at 14.0). */
import { type RawBuilder, sql } from 'kysely'
import Type from 'typebox'
import { projectVisibleTo } from '../../platform/access/visible.ts'
import { anyOf } from '../../platform/db/any.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Context, Facts } from '../../platform/kernel/context.ts'
import { DateTime, Nullable, OneOf } from '../../platform/kernel/types.ts'
import { accessLevels } from './attributes.ts'
import type { RunnerRow } from './queries.ts'
import { presentRunnerSummary, runnerSummaryFields } from './summary.ts'

// Newer than 14.0: `paused`.
const fields = { ...runnerSummaryFields, paused: Type.Boolean() }

const present = (row: RunnerRow, facts: Facts) => ({ ...presentRunnerSummary(row, facts), paused: !row.active })

export const Runner = entity({
  name: 'Runner',
  schema: Type.Object(fields),
  present: (row: RunnerRow, _: undefined, facts) => present(row, facts),
})

interface Places {
  readonly projects: ReadonlyMap<number, readonly { id: number; name: string; full_name: string; path: string; full_path: string }[]>
  readonly groups: ReadonlyMap<number, readonly { id: number; name: string; full_path: string }[]>
}

/** Loads the projects of runners, if the reader may see them, and their groups: two statements. */
async function load({ db, actor }: Context, rows: readonly RunnerRow[]): Promise<Places> {
  const ids = rows.map(row => row.id)
  const projects = await db
    .selectFrom('runner_projects')
    .innerJoin('projects', 'projects.id', 'runner_projects.project_id')
    .innerJoin('routes', 'routes.project_id', 'projects.id')
    .select([
      'runner_projects.runner_id',
      'projects.id',
      'projects.name',
      'projects.path',
      'routes.path as full_path',
      'routes.name as full_name',
    ])
    .where('runner_projects.runner_id', '=', anyOf(ids))
    .where(projectVisibleTo(actor) as RawBuilder<boolean>)
    .orderBy(sql`runner_projects.created_at, projects.id`)
    .execute()
  const groups = await db
    .selectFrom('runner_groups')
    .innerJoin('namespaces', 'namespaces.id', 'runner_groups.namespace_id')
    .innerJoin('routes', 'routes.namespace_id', 'namespaces.id')
    .select(['runner_groups.runner_id', 'namespaces.id', 'namespaces.name', 'routes.path as full_path'])
    .where('runner_groups.runner_id', '=', anyOf(ids))
    .execute()
  return { projects: Map.groupBy(projects, row => row.runner_id), groups: Map.groupBy(groups, row => row.runner_id) }
}

/** A runner with all details. Its token is shown once, when it is created. */
export const RunnerInFull = entity({
  name: 'RunnerInFull',
  schema: Type.Object({
    ...fields,
    tag_list: Type.Array(Type.String()),
    run_untagged: Type.Boolean(),
    locked: Type.Boolean(),
    maximum_timeout: Nullable(Type.Integer()),
    access_level: OneOf(accessLevels),
    version: Nullable(Type.String()),
    revision: Nullable(Type.String()),
    platform: Nullable(Type.String()),
    architecture: Nullable(Type.String()),
    contacted_at: Nullable(DateTime()),
    projects: Type.Array(
      Type.Object({
        id: Type.Integer(),
        name: Type.String(),
        name_with_namespace: Type.String(),
        path: Type.String(),
        path_with_namespace: Type.String(),
      }),
    ),
    groups: Type.Array(Type.Object({ id: Type.Integer(), web_url: Type.String(), name: Type.String() })),
  }),
  load,
  present: (row: RunnerRow, { projects, groups }: Places, facts) => ({
    ...present(row, facts),
    tag_list: row.tags,
    run_untagged: row.run_untagged,
    locked: row.locked,
    maximum_timeout: row.maximum_timeout,
    access_level: row.access_level,
    version: row.version,
    revision: row.revision,
    platform: row.platform,
    architecture: row.architecture,
    contacted_at: row.contacted_at,
    projects: (projects.get(row.id) ?? []).map(({ id, name, full_name, path, full_path }) => ({
      id,
      name,
      name_with_namespace: full_name,
      path,
      path_with_namespace: full_path,
    })),
    groups: (groups.get(row.id) ?? []).map(({ id, name, full_path }) => ({ id, web_url: `${facts.url}/groups/${full_path}`, name })),
  }),
})

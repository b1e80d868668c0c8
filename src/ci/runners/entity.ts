/** A runner as JSON (runners API at 14.0). */
import { type RawBuilder, sql } from 'kysely'
import Type from 'typebox'
import { projectVisibleTo } from '../../platform/access/visible.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Context, Facts } from '../../platform/kernel/context.ts'
import { DateTime, described, flag, integer, Nullable, OneOf, text } from '../../platform/kernel/declaration/types.ts'
import { accessLevels } from './attributes.ts'
import type { RunnerRow } from './queries.ts'
import { presentRunnerSummary, runnerSummaryFields } from './summary.ts'

// Newer than 14.0: `paused`.
const fields = { ...runnerSummaryFields, paused: flag('Whether the runner takes no jobs') }

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
    tag_list: described('Tags', Type.Array(Type.String())),
    run_untagged: flag('Whether the runner takes jobs without tags'),
    locked: flag('Whether it is locked to its projects'),
    maximum_timeout: Nullable(integer('Longest time of a job on this runner, in seconds; null: no limit of its own')),
    access_level: OneOf(accessLevels, {
      description: '`ref_protected`: takes jobs of protected references only; `not_protected`: takes all',
    }),
    version: Nullable(text('Version of the program; null until it reports one')),
    revision: Nullable(text('Revision of the source; null where unknown')),
    platform: Nullable(text('Operating system of the runner; null until it reports one')),
    architecture: Nullable(text("Architecture of the runner's machine; null until it reports one")),
    contacted_at: Nullable(DateTime('When the runner last contacted the server; null: never')),
    projects: described(
      'Projects that the runner serves',
      Type.Array(
        Type.Object({
          id: integer('ID, unique on the instance'),
          name: text('Name'),
          name_with_namespace: text('Names of all parents and its own, with ` / ` between'),
          path: text('Last part of the path, as in addresses'),
          path_with_namespace: text('Path with those of all parents'),
        }),
      ),
    ),
    groups: described(
      'Groups that the runner serves',
      Type.Array(
        Type.Object({ id: integer('ID, unique on the instance'), web_url: text('Address of the page for people'), name: text('Name') }),
      ),
    ),
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

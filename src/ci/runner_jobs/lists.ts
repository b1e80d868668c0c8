/** The jobs of a runner (runners API at 14.0). */
import { sql } from 'kysely'
import Type from 'typebox'
import { idsOf } from '../../identity/users/queries.ts'
import { projectsAllowing } from '../../platform/access/ability_conditions.ts'
import type { Actor } from '../../platform/access/actor.ts'
import type { Db } from '../../platform/db/connection.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { DateTime, described, integer, Nullable, text } from '../../platform/kernel/declaration/types.ts'
import { type ProjectRow, projectsById } from '../../spaces/projects/queries.ts'
import { loadShared, pipelineOf, presentShared, type Shared, sharedFields } from '../jobs/entity.ts'
import { type JobRow, jobs } from '../jobs/queries.ts'
import { namedFields, presentNamed } from '../pipelines/lists/basic.ts'

/** Statuses that the list can be filtered by. */
export const listedStatuses = ['running', 'success', 'failed', 'canceled'] as const

export interface RunnerJobFilters {
  readonly status?: (typeof listedStatuses)[number] | undefined
  readonly sort?: 'asc' | 'desc' | undefined
}

/** The jobs of a runner in projects where the actor may read jobs, newest first by default. */
export function jobsOfRunner(db: Db, actor: Actor, runnerId: number, { status, sort = 'desc' }: RunnerJobFilters) {
  const ofRunner = jobs(db)
    .where('jobs.runner_id', '=', runnerId)
    .where('jobs.kind', '=', 'build')
    .where('jobs.project_id', 'in', sql<number>`(${projectsAllowing(actor, 'read_job', sql`true`)})`)
    .orderBy('jobs.id', sort)
  return status ? ofRunner.where('jobs.status', '=', status) : ofRunner
}

interface Loaded extends Shared {
  readonly projects: ReadonlyMap<number, ProjectRow>
}

/** A job with its project. */
export const JobOfRunner = entity({
  name: 'JobOfRunner',
  schema: Type.Object({
    ...sharedFields,
    pipeline: described('The pipeline', Type.Object(namedFields)),
    project: described(
      'The project',
      Type.Object({
        id: integer('ID, unique on the instance'),
        description: Nullable(text('Description; null or empty where there is none')),
        name: text('Name'),
        name_with_namespace: text('Names of all parents and its own, with ` / ` between'),
        path: text('Last part of the path, as in addresses'),
        path_with_namespace: text('Path with those of all parents'),
        created_at: DateTime('When it was created'),
      }),
    ),
  }),
  load: async (ctx: Context, rows: readonly JobRow[]): Promise<Loaded> => ({
    ...(await loadShared(ctx, rows)),
    projects: await projectsById(ctx.db, idsOf(rows, 'project_id')),
  }),
  present: (row: JobRow, loaded: Loaded, facts) => {
    const project = loaded.projects.get(row.project_id) as ProjectRow
    return {
      ...presentShared(row, loaded, facts),
      pipeline: presentNamed(pipelineOf(loaded, row)),
      project: {
        id: project.id,
        description: project.description,
        name: project.name,
        name_with_namespace: project.full_name,
        path: project.path,
        path_with_namespace: project.full_path,
        created_at: project.created_at,
      },
    }
  },
})

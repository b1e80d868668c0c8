/** Reads of what the tokens of jobs reach. What follows from it is decided in platform/access/job_reach.ts. */
import type { Db } from '../../platform/db/connection.ts'
import { groups } from '../../spaces/groups/queries.ts'
import { projects } from '../../spaces/projects/queries.ts'

/** `inbound`: whose jobs reach the project; `outbound`: what the jobs of the project reach. */
export const directions = ['inbound', 'outbound'] as const
export type Direction = (typeof directions)[number]

/**
 * The projects that a project lists for one direction, itself included. All of them, for whoever answers for the list: also those that
 * another Maintainer has listed and that the caller may not see.
 */
export const listedProjects = (db: Db, projectId: number, direction: Direction) =>
  projects(db)
    .where(({ eb, or, selectFrom }) =>
      or([
        eb('projects.id', '=', projectId),
        eb(
          'projects.id',
          'in',
          selectFrom('job_token_scope_projects')
            .select('target_project_id')
            .where('project_id', '=', projectId)
            .where('direction', '=', direction),
        ),
      ]),
    )
    .orderBy('projects.id')

/** The groups that a project lists: the jobs of the projects in them and below them reach it. */
export const listedGroups = (db: Db, projectId: number) =>
  groups(db)
    .where('namespaces.id', 'in', ({ selectFrom }) =>
      selectFrom('job_token_scope_groups').select('target_group_id').where('project_id', '=', projectId),
    )
    .orderBy('namespaces.id')

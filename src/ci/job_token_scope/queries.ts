/** Reads of what job tokens reach. platform/access/credentials/job_reach.ts decides what follows from it. */
import type { Db } from '../../platform/db/connection.ts'
import { groups } from '../../spaces/groups/queries.ts'
import { projects } from '../../spaces/projects/queries.ts'

/** `inbound`: projects whose jobs reach the project; `outbound`: projects that its jobs reach. */
export const directions = ['inbound', 'outbound'] as const
export type Direction = (typeof directions)[number]

/**
 * The projects on a project's list for one direction, itself included. All of them, for callers who manage the list: also projects that
 * another Maintainer has added and that the caller may not see.
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

/** The groups on a project's list: jobs of all projects below them reach it. */
export const listedGroups = (db: Db, projectId: number) =>
  groups(db)
    .where('namespaces.id', 'in', ({ selectFrom }) =>
      selectFrom('job_token_scope_groups').select('target_group_id').where('project_id', '=', projectId),
    )
    .orderBy('namespaces.id')

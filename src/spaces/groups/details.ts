/** A single group with its projects, for clients that do not use the lists yet (document 3 "Group details"). */
import Type from 'typebox'
import { choice, type Entity, entity, presentAll } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { described } from '../../platform/kernel/declaration/types.ts'
import { projectsOfGroup, projectsSharedWith } from '../group_projects/queries.ts'
import { Project, SimpleProject } from '../projects/entity.ts'
import type { ProjectRow } from '../projects/queries.ts'
import { GroupDetails } from './entity.ts'
import type { GroupRow } from './queries.ts'

/** Contract: the limit of shown projects of each kind (document 3 "Group details"). */
const MOST = 100

/** The details with `projects` and `shared_projects` in one of their variants. */
// biome-ignore lint/suspicious/noExplicitAny: what a project's `load` gives is its own affair
function withProjects(name: string, size: Entity<ProjectRow, any>) {
  const projects = Type.Array(size.schema)
  // Each group has up to a hundred projects, so this is only for a single group.
  const load = async (ctx: Context, [group]: readonly GroupRow[]) => {
    const { db, actor } = ctx
    const one = group as GroupRow
    const own = await projectsOfGroup(db, actor, one, { with_shared: false }).limit(MOST).execute()
    const shared = await projectsSharedWith(db, actor, { id: one.id, role: 0 }, {}).limit(MOST).execute()
    return {
      details: await GroupDetails.load?.(ctx, [one]),
      projects: await presentAll(size, ctx, own),
      shared_projects: await presentAll(size, ctx, shared),
    }
  }
  return entity({
    name,
    schema: Type.Object({
      ...GroupDetails.schema.properties,
      projects: described('Projects of the group', projects),
      shared_projects: described('Projects that were shared with the group', projects),
    }),
    load,
    present: (row: GroupRow, { details, projects, shared_projects }: Awaited<ReturnType<typeof load>>, facts) => ({
      ...GroupDetails.present(row, details as never, facts),
      projects,
      shared_projects,
    }),
  })
}

const WithProjects = withProjects('GroupDetailsWithProjects', Project)
const WithSimpleProjects = withProjects('GroupDetailsWithSimpleProjects', SimpleProject)

/** Contract: the projects are included unless `with_projects=false`, with the simple fields for anonymous callers (document 3). */
export const detailsOrWithProjects = choice<GroupRow>([GroupDetails, WithProjects, WithSimpleProjects], ({ actor }, { with_projects }) =>
  with_projects === false ? GroupDetails : actor.user ? WithProjects : WithSimpleProjects,
)

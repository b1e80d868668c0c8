/** Addresses of projects and groups by their IDs, which stay where a place is renamed or moved. */
import { inInstance, within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { redirect } from '../../platform/pages/frame/document.ts'
import { groupPath } from '../../spaces/groups/pages/place.ts'
import { visibleGroup } from '../../spaces/groups/queries.ts'
import { groupSubject } from '../../spaces/groups/scope.ts'
import { projectPath } from '../../spaces/projects/pages/place.ts'
import { projectAllowing, projectSubject } from '../../spaces/projects/scope.ts'

const inProjectOfId = within(inInstance, {
  name: 'inProjectOfId',
  path: { project_id: integer('ID of a project', { minimum: 1 }) },
  async load(ctx, { project_id }) {
    const project = await projectAllowing(ctx, String(project_id), 'read_project')
    if (!project) throw notFound('Project')
    return { project }
  },
  subject: ({ project }) => projectSubject(project),
})

const inGroupOfId = within(inInstance, {
  name: 'inGroupOfId',
  path: { group_id: integer('ID of a group', { minimum: 1 }) },
  async load({ db, actor }, { group_id }) {
    const group = await visibleGroup(db, actor, String(group_id))
    if (!group) throw notFound('Group')
    return { group }
  },
  subject: ({ group }) => groupSubject(group),
})

const projectAt = (route: 'GET /-/p/:project_id' | 'GET /projects/:project_id') =>
  pageEndpoint({
    route,
    summary: 'Be led to the page of a project by its ID',
    scope: inProjectOfId,
    can: 'read_project',
    run: async ({ project }) => redirect(projectPath(project)),
  })

export const showProjectOfId = projectAt('GET /-/p/:project_id')
export const showProjectOfNumber = projectAt('GET /projects/:project_id')

export const showGroupOfId = pageEndpoint({
  route: 'GET /-/g/:group_id',
  summary: 'Be led to the page of a group by its ID',
  scope: inGroupOfId,
  can: 'read_group',
  run: async ({ group }) => redirect(groupPath(group)),
})

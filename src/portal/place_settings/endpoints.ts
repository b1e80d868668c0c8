/** The address of the settings as such: it leads to the first section that the caller may open. */
import type { Context } from '../../platform/kernel/context.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { redirect } from '../../platform/pages/frame/document.ts'
import { inGroupPage } from '../../spaces/groups/pages/scope.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'
import { eitherPath, type InEither } from '../places/planning.ts'
import { sectionsFor } from './place.ts'

function toFirstSection(ctx: Context & InEither) {
  const [first] = sectionsFor(ctx)
  if (!first) throw notFound('Page')
  return redirect(eitherPath(ctx, first.path))
}

export const showProjectSettings = pageEndpoint({
  route: 'GET /:project_path/-/settings',
  summary: 'Lead to the settings of a project',
  scope: inProjectPage,
  can: 'admin_project',
  run: async ctx => toFirstSection(ctx),
})

export const showGroupSettings = pageEndpoint({
  route: 'GET /groups/:group_path/-/settings',
  summary: 'Lead to the settings of a group',
  scope: inGroupPage,
  can: 'admin_group',
  run: async ctx => toFirstSection(ctx),
})

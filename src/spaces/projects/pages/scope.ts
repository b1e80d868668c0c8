/**
 * Addresses below the page of a project, `/group/project/-/releases/…`: the full path has several segments and becomes one for the router.
 */

import type { Context } from '../../../platform/kernel/context.ts'
import { type Dialect, root } from '../../../platform/kernel/declaration/dialect.ts'
import { scope } from '../../../platform/kernel/declaration/scope.ts'
import { text } from '../../../platform/kernel/declaration/types.ts'
import { moved, notFound } from '../../../platform/kernel/errors.ts'
import { projectMovedFrom, visibleProject } from '../queries.ts'
import { projectSubject } from '../scope.ts'

const address = /^([^?]+?)\/-\/([^?]*)(\?.*)?$/s

/** First segments that belong to no project. */
const reserved = new Set(['api', '-', 'oauth', 'users', 'uploads', 'groups', 'scim'])

/** `/group/project/-/releases` as `/group%2Fproject/-/releases`; undefined for every other address. Pure. */
export function encodeProjectPath(given: string): string | undefined {
  const [, path = '', rest, query = ''] = address.exec(given) ?? []
  const parts = path.split('/').filter(part => part !== '')
  if (rest === undefined || parts.length < 2 || reserved.has(parts[0] as string)) return undefined
  return `/${parts.join('%2F')}/-/${rest}${query}`
}

/** Files below the page of a project; tokens and sessions both give access. */
export const projectPages: Dialect = { ...root, name: 'project_pages', rewrite: encodeProjectPath }

/**
 * Leads what is read by a former path of a project to the same page of it; nothing where no project that the caller may see had the path.
 * @throws 301 with the address that the page has now
 */
export async function followProject({ db, actor, request, url }: Context, path: string): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return
  const elsewhere = await projectMovedFrom(db, actor, path)
  if (elsewhere) throw moved(url + request.address.replace(/^\/[^?]*?\/-\//, () => `/${elsewhere.full_path}/-/`))
}

/** `:project_path` becomes a project that this actor may see, or 404. What is read by a former path leads to the same page of the project. */
export const inProjectPage = scope({
  name: 'inProjectPage',
  path: { project_path: text('Full path of a project') },
  async load(ctx, { project_path }) {
    // A number would be an id.
    if (!project_path.includes('/')) throw notFound('Project')
    const project = await visibleProject(ctx.db, ctx.actor, project_path)
    if (project) return { project }
    await followProject(ctx, project_path)
    throw notFound('Project')
  },
  subject: ({ project }) => projectSubject(project),
  errors: reads => (reads ? ['moved'] : []),
})

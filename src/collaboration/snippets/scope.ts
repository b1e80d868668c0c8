/** Scopes of snippets: personal ones and those of projects. */
import { allows } from '../../platform/access/abilities.ts'
import { type Actor, isAdmin } from '../../platform/access/actor.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { scope, within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { forbidden, notFound, refusedTo } from '../../platform/kernel/errors.ts'
import { findProject, inProject, type ProjectWithRole, projectSubject } from '../../spaces/projects/scope.ts'
import { type SnippetRow, snippetById, visibleSnippet } from './queries.ts'

const id = integer('ID of a snippet')

/** Did the caller write the snippet? */
export const isOwnSnippet = (actor: Actor, { author_id }: Pick<SnippetRow, 'author_id'>): boolean =>
  author_id !== null && author_id === actor.user?.id

/** May the caller change the snippet by its own address, of a project or not? The project decides too (`projectToChangeIn`). */
export const isOpenToWrites = (actor: Actor, snippet: Pick<SnippetRow, 'author_id'>): boolean =>
  isOwnSnippet(actor, snippet) || isAdmin(actor)

/** A snippet with this id that the caller may see, or 404. */
export async function findSnippet({ db, actor }: Context, snippetId: number): Promise<SnippetRow> {
  const snippet = await visibleSnippet(db, actor, snippetId)
  if (!snippet) throw notFound('Snippet')
  return snippet
}

/** `:id` becomes a snippet that the caller may see: a personal one, or one of a project. */
export const inSnippet = scope({
  name: 'inSnippet',
  path: { id },
  load: async (ctx, path) => ({ snippet: await findSnippet(ctx, path.id) }),
  subject: () => ({ on: 'instance' as const }),
  modifiedAt: ({ snippet }) => snippet.updated_at,
})

/** The project of a snippet, undefined for a personal one. @throws Refusal 403 where the caller may not change the snippet there */
export async function projectToChangeIn(ctx: Context, snippet: SnippetRow): Promise<ProjectWithRole | undefined> {
  if (snippet.project_id === null) return undefined
  const project = await findProject(ctx.db, ctx.actor, String(snippet.project_id))
  const own = isOwnSnippet(ctx.actor, snippet)
  if (allows(ctx.actor, 'update_snippet', { ...projectSubject(project), own }) !== 'yes') throw refusedTo(ctx.actor)
  return project
}

/**
 * `:id` becomes a snippet that the caller wrote, or any for administrators. Contract: those of others do not exist for writes by this address
 * (snippets API).
 */
export const inOwnSnippet = scope({
  name: 'inOwnSnippet',
  path: { id },
  async load(ctx, path) {
    const snippet = await findSnippet(ctx, path.id)
    if (!isOpenToWrites(ctx.actor, snippet)) throw notFound('Snippet')
    return { snippet, project: await projectToChangeIn(ctx, snippet) }
  },
  subject: () => ({ on: 'instance' as const }),
  modifiedAt: ({ snippet }) => snippet.updated_at,
  errors: () => ['forbidden'],
})

/** `:id` becomes any snippet; administrators only. */
export const inAnySnippet = scope({
  name: 'inAnySnippet',
  path: { id },
  async load({ db, actor }, path) {
    // Checked first, so that others cannot probe which ids exist.
    if (!isAdmin(actor)) throw refusedTo(actor)
    const snippet = await snippetById(db, path.id)
    if (!snippet) throw notFound('Snippet')
    return { snippet }
  },
  subject: () => ({ on: 'instance' as const }),
})

/** A project whose snippets the caller may use. Contract: 403 where it has none for them (project snippets API). */
export const inSnippets = within(inProject, {
  name: 'inSnippets',
  path: {},
  async load({ actor, project }) {
    if (allows(actor, 'read_snippet', projectSubject(project)) === 'hidden') throw forbidden()
    return {}
  },
  errors: () => ['forbidden'],
})

/** `:snippet_id` becomes a snippet of the project that the caller may see, or 404. */
export const inProjectSnippet = within(inSnippets, {
  name: 'inProjectSnippet',
  path: { snippet_id: id },
  async load(ctx, { snippet_id }) {
    const snippet = await findSnippet(ctx, snippet_id)
    if (snippet.project_id !== ctx.project.id) throw notFound('Snippet')
    return { snippet, isOwn: isOwnSnippet(ctx.actor, snippet) }
  },
  subject: ({ project, isOwn }) => ({ ...projectSubject(project), own: isOwn }),
  modifiedAt: ({ snippet }) => snippet.updated_at,
})

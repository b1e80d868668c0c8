/** Snippets by the addresses of their pages: personal ones below `/-/snippets`, those of a project below the project. */
import { noteableSnippet } from '../../collaboration/snippets/item_kind/noteable.ts'
import type { SnippetRow } from '../../collaboration/snippets/queries.ts'
import { findSnippet, isOpenToWrites, isOwnSnippet, projectToChangeIn } from '../../collaboration/snippets/scope.ts'
import { allows } from '../../platform/access/abilities.ts'
import { scope, within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { moved, notFound } from '../../platform/kernel/errors.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'
import { projectSubject } from '../../spaces/projects/scope.ts'

const path = { snippet_id: integer('ID of a snippet') }

/** A personal snippet that the caller may see, or 404; for a snippet of a project, the way to its page. */
export const inSnippetPage = scope({
  name: 'inSnippetPage',
  path,
  async load(ctx, { snippet_id }) {
    const snippet = await findSnippet(ctx, snippet_id)
    if (snippet.project_path !== null) throw moved(`${ctx.url}/${snippet.project_path}/-/snippets/${snippet.id}`)
    return { snippet }
  },
  subject: () => ({ on: 'instance' as const }),
  errors: () => ['moved'],
})

/** A personal snippet that the caller may change, or 404. */
export const inOwnSnippetPage = scope({
  name: 'inOwnSnippetPage',
  path,
  async load(ctx, { snippet_id }) {
    const snippet = await findSnippet(ctx, snippet_id)
    if (snippet.project_id !== null || !isOpenToWrites(ctx.actor, snippet)) throw notFound('Snippet')
    return { snippet, project: await projectToChangeIn(ctx, snippet) }
  },
  subject: () => ({ on: 'instance' as const }),
})

/** A project that has snippets for the caller, or 404. */
export const inSnippetsPage = within(inProjectPage, {
  name: 'inSnippetsPage',
  path: {},
  async load({ actor, project }) {
    if (allows(actor, 'read_snippet', projectSubject(project)) === 'hidden') throw notFound('Snippet')
    return {}
  },
})

/** The path of every page of a snippet of a project. */
export const SNIPPET = '/:project_path/-/snippets/:snippet_id'

/** A snippet of the project that the caller may see, or 404. */
export const inProjectSnippetPage = within(inSnippetsPage, {
  name: 'inProjectSnippetPage',
  path,
  async load(ctx, { snippet_id }) {
    const snippet: SnippetRow = await findSnippet(ctx, snippet_id)
    if (snippet.project_id !== ctx.project.id) throw notFound('Snippet')
    return { snippet, isOwn: isOwnSnippet(ctx.actor, snippet), noteable: noteableSnippet(ctx, ctx.project, snippet) }
  },
  subject: ({ project, isOwn }) => ({ ...projectSubject(project), own: isOwn }),
})

/** Wikis of projects and groups (wikis API at 14.0): the same declarations for both. */
import type { Ability } from '../../platform/access/abilities.ts'
import { endpoint, nothing, one } from '../../platform/kernel/declaration/endpoint.ts'
import type { Scope } from '../../platform/kernel/declaration/scope.ts'
import { File, flag, OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import { atLeastOne } from '../../platform/kernel/request/params.ts'
import { attachFile, createPage, deletePage, updatePage } from './commands.ts'
import { WikiAttachment, WikiPage, WikiPages } from './entity.ts'
import { formats } from './names.ts'
import { bytesOf, findPage, pagesOf, withContent, withContents } from './queries.ts'
import { renderPage } from './rendering.ts'
import { type InWiki, inGroupWiki, inProjectWiki, inWikiPage } from './scope.ts'

/** Limit of a request in bytes: a page as text, or an attachment with its framing. */
const MAX_BODY = 110 * 1024 * 1024

interface Kind<S extends InWiki> {
  readonly noun: 'project' | 'group'
  readonly scope: Scope<S>
  readonly read: Ability
  readonly write: Ability
  readonly remove: Ability
}

const title = text('Title, with its folders: `guides/First steps`', { maxLength: 10_000, examples: ['guides/First steps'] })
const content = text('What the page says', { examples: ['Begin *here*.'] })
const format = optional(OneOf(formats, { description: 'Markup of the page; `markdown` for a new page, unless given' }))
const message = optional(text('Message of the commit; unless given, what was done by whom', { maxLength: 10_000 }))

function wikiEndpoints<S extends InWiki>({ noun, scope, read, write, remove }: Kind<S>) {
  const path = `/${noun}s/:id/wikis` as const
  const inPage = inWikiPage(scope)
  // Contract: wikis of groups begin with Premium (wikis API).
  const tiered = noun === 'group' ? ({ tier: 'premium' } as const) : {}

  const list = endpoint({
    ...tiered,
    route: `GET ${path}`,
    summary: `List the pages of the wiki of a ${noun}`,
    scope,
    can: read,
    // Of the tree with all pages.
    cost: 'walk',
    params: { with_content: optional(flag('With what each page says', { default: false })) },
    answers: one(WikiPages),
    errors: ['too_large'],
    async run(ctx) {
      const pages = await pagesOf(ctx, ctx.wiki.side)
      if (!ctx.params.with_content) return pages
      ctx.deps.limiter.answer(ctx, await bytesOf(pages))
      return withContents(pages)
    },
  })
  const get = endpoint({
    ...tiered,
    route: `GET ${path}/:slug`,
    summary: `Get a page of the wiki of a ${noun}`,
    scope: inPage,
    can: read,
    // Where the slug is not as the page is written, of the tree with all pages.
    cost: 'walk',
    params: {
      version: optional(text('Commit at which the page is read; the newest unless given', { maxLength: 255 })),
      render_html: optional(flag('Answer what it says as HTML', { default: false })),
    },
    answers: one(WikiPage),
    errors: ['too_large'],
    async run(ctx) {
      const found = await findPage(ctx, ctx.wiki.side, ctx.slug, ctx.params.version)
      ctx.deps.limiter.answer(ctx, await bytesOf([found]))
      const page = await withContent(found)
      return ctx.params.render_html ? { ...page, content: await renderPage(ctx, ctx.wiki, page) } : page
    },
  })
  const create = endpoint({
    ...tiered,
    route: `POST ${path}`,
    summary: `Write a new page of the wiki of a ${noun}`,
    scope,
    can: write,
    params: { title, content, format, message },
    bodyLimit: MAX_BODY,
    writes: 'own',
    answers: one(WikiPage),
    run: ctx => createPage(ctx, ctx.wiki, ctx.params),
  })
  const update = endpoint({
    ...tiered,
    route: `PUT ${path}/:slug`,
    summary: `Change a page of the wiki of a ${noun}`,
    scope: inPage,
    can: write,
    params: {
      title: optional(title),
      content: optional(content),
      format,
      message,
      last_commit_sha: optional(text('Refuse the change where the page has another last commit than this one', { maxLength: 64 })),
    },
    rules: [atLeastOne('title', 'content', 'format')],
    bodyLimit: MAX_BODY,
    writes: 'own',
    answers: one(WikiPage),
    errors: ['conflict'],
    run: ctx => updatePage(ctx, ctx.wiki, ctx.slug, ctx.params),
  })
  const destroy = endpoint({
    ...tiered,
    route: `DELETE ${path}/:slug`,
    summary: `Delete a page of the wiki of a ${noun}`,
    scope: inPage,
    can: remove,
    writes: 'own',
    answers: nothing,
    run: ctx => deletePage(ctx, ctx.wiki, ctx.slug),
  })
  const attach = endpoint({
    ...tiered,
    route: `POST ${path}/attachments`,
    summary: `Attach a file to the wiki of a ${noun}`,
    scope,
    can: write,
    params: {
      file: File({ description: 'The file, of at most as many MB as the setting `max_attachment_size` says', examples: ['@lamp.png'] }),
      branch: optional(text('The branch of the pages; no other takes attachments', { maxLength: 255 })),
    },
    bodyLimit: MAX_BODY,
    writes: 'own',
    answers: one(WikiAttachment),
    run: ctx => attachFile(ctx, ctx.wiki, ctx.params.file, ctx.params.branch),
  })
  return [list, get, create, update, destroy, attach]
}

export const projectWikis = wikiEndpoints({
  noun: 'project',
  scope: inProjectWiki,
  read: 'read_wiki',
  write: 'create_wiki',
  remove: 'admin_wiki',
})

export const groupWikis = wikiEndpoints({
  noun: 'group',
  scope: inGroupWiki,
  read: 'read_group_wiki',
  write: 'create_group_wiki',
  remove: 'admin_group_wiki',
})

/** Wikis for people, of projects and groups: the same pages for both. */
import type { TProperties } from 'typebox'
import { groupWikis, projectWikis } from '../../collaboration/wikis/endpoints.ts'
import { wikiPath } from '../../collaboration/wikis/links.ts'
import { HOME, isSamePage, SIDEBAR, titleOf } from '../../collaboration/wikis/names.ts'
import {
  attachmentAt,
  countVersions,
  findPage,
  lastCommitOf,
  type PageRow,
  pageNamed,
  pagesOf,
  versionsOf,
  withContent,
} from '../../collaboration/wikis/queries.ts'
import { renderPage } from '../../collaboration/wikis/rendering.ts'
import type { Ability } from '../../platform/access/abilities.ts'
import { streamBlob, TooLarge } from '../../platform/git/index.ts'
import { contentDisposition } from '../../platform/kernel/answer/disposition.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { ByteAnswer, Endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import type { Scope } from '../../platform/kernel/declaration/scope.ts'
import { optional, text } from '../../platform/kernel/declaration/types.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { action, actionButton } from '../../platform/pages/forms/action.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { declarationOf } from '../../platform/pages/forms/declared.ts'
import type { FieldSpec } from '../../platform/pages/forms/fields.ts'
import { form } from '../../platform/pages/forms/form.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { listPage, listParams } from '../../platform/pages/lists.ts'
import { markdownBody } from '../markdown/body.ts'
import { eitherPath, eitherPlace, mayHere } from '../places/planning.ts'
import { type InOnePage, type InWikiPlace, inGroupWikiPlace, inOnePage, inProjectWikiPlace, inWikiPath } from './scope.ts'
import { emptyWikiView, historyView, listView, missingView, pageView, sideView } from './view.ts'

interface Kind {
  readonly noun: 'project' | 'group'
  /** The path of the place in routes. */
  readonly route: '/:project_path' | '/groups/:group_path'
  readonly scope: Scope<InWikiPlace>
  readonly api: readonly Endpoint[]
  readonly can: { readonly read: Ability; readonly download: Ability; readonly write: Ability; readonly remove: Ability }
}

/** Pictures of the wiki that pages show; everything else is downloaded, so that no file runs in the origin of the server. */
const pictures: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
}

function wikiPages({ noun, route, scope, api, can }: Kind): Readonly<Record<string, Endpoint>> {
  const base = `${route}/-/wikis` as const
  const tiered = noun === 'group' ? ({ tier: 'premium' } as const) : {}
  const inOne = inOnePage(scope as Scope<InWikiPlace, TProperties>) as unknown as Scope<InOnePage>
  const inPath = inWikiPath(scope as Scope<InWikiPlace, TProperties>) as unknown as Scope<InOnePage>

  const frame = (ctx: Context & InWikiPlace, title: string) => ({ title, place: eitherPlace(ctx.actor, ctx, 'wiki') })

  /** What stands beside a page. */
  async function sideOf(ctx: Context & InWikiPlace, pages: readonly PageRow[], current?: string): Promise<Html> {
    const { wiki, url, sshUrl } = ctx
    const own = pageNamed(pages, SIDEBAR)
    return sideView({
      base: wiki.base,
      pages: pages.filter(({ slug }) => slug !== SIDEBAR),
      current,
      own: own && (await markdownBody(await renderPage(ctx, wiki, await withContent(own)))),
      mayWrite: mayHere(ctx, can.write),
      clone: mayHere(ctx, can.download)
        ? { http: `${url}/${wiki.full_path}.wiki.git`, ssh: `${sshUrl}${wiki.full_path}.wiki.git` }
        : undefined,
    })
  }

  function buttonsOf(ctx: Context & InWikiPlace, { slug }: PageRow): Html {
    const at = `${ctx.wiki.base}/${encodeURIComponent(slug)}`
    return html`<a class="btn btn-sm" href="${at}/history">${icon('history')} History</a>${mayHere(ctx, can.write) && html`<a class="btn btn-sm" href="${at}/edit">Edit</a>`}${mayHere(ctx, can.remove) && actionButton(ctx, { to: `${at}/delete`, face: 'Delete', look: 'danger', asks: 'Delete this page? Its history stays in the repository of the wiki.' })}`
  }

  /** A page as it is, or was at a version; a file; or an offer to write the page. */
  async function shown(ctx: Context & InWikiPlace, slug: string, version?: string): Promise<ByteAnswer> {
    const { wiki } = ctx
    const pages = await pagesOf(ctx, wiki.side)
    const found = version ? await findPage(ctx, wiki.side, slug, version) : pageNamed(pages, slug)
    const side = await sideOf(ctx, pages, found?.slug)
    if (!found) {
      const mayWrite = mayHere(ctx, can.write)
      const isEmpty = pages.length === 0 && isSamePage(slug, HOME)
      const body = isEmpty ? emptyWikiView(wiki.base, mayWrite, side) : missingView(wiki.base, slug, titleOf(slug), mayWrite, side)
      return page(ctx, { ...frame(ctx, isEmpty ? 'Wiki' : titleOf(slug)), body, ...(isSamePage(slug, HOME) ? {} : { status: 404 }) })
    }
    const read = await withContent(found)
    const last = await lastCommitOf(found)
    const newest = pageNamed(pages, slug)
    const body = pageView(
      wiki.base,
      {
        page: found,
        body: await markdownBody(await renderPage(ctx, wiki, read)),
        last,
        isOld: version !== undefined && newest?.blob !== found.blob,
        buttons: newest ? buttonsOf(ctx, newest) : html``,
      },
      side,
    )
    return page(ctx, { ...frame(ctx, `${found.title} · Wiki`), heading: 'own', body })
  }

  async function fileOf(ctx: Context & InOnePage): Promise<ByteAnswer | undefined> {
    const file = await attachmentAt(ctx, ctx.wiki.side, ctx.slug)
    if (!file) return undefined
    const name = ctx.slug.slice(ctx.slug.lastIndexOf('/') + 1)
    const picture = pictures[name.slice(name.lastIndexOf('.') + 1).toLowerCase()]
    const { size, bytes } = await streamBlob(file.repository, file.blob)
    if (size > MOST_FILE) throw new TooLarge('The file', MOST_FILE)
    const parts: Buffer[] = []
    for await (const part of bytes) parts.push(part)
    return {
      body: Buffer.concat(parts),
      headers: {
        'content-type': picture ?? 'application/octet-stream',
        'content-disposition': contentDisposition(picture ? 'inline' : 'attachment', name),
        'x-content-type-options': 'nosniff',
      },
    }
  }

  const home = pageEndpoint({
    ...tiered,
    route: `GET ${base}`,
    cost: 'walk',
    summary: `Show the first page of the wiki of a ${noun}`,
    scope: scope as never,
    can: can.read as never,
    run: input => shown(input as unknown as Context & InWikiPlace, HOME),
  })
  const show = pageEndpoint({
    ...tiered,
    route: `GET ${base}/*wiki_path`,
    cost: 'walk',
    summary: `Show a page or file of the wiki of a ${noun}`,
    scope: inPath as never,
    can: can.read as never,
    params: { version: optional(text('Commit at which the page is shown', { maxLength: 64 })) },
    async run(input) {
      const ctx = input as unknown as Context & InOnePage & { params: { version?: string } }
      const { slug, params } = ctx
      return (/\.[^/.]+$/.test(slug) ? await fileOf(ctx) : undefined) ?? shown(ctx, slug, params.version)
    },
  })
  const all = pageEndpoint({
    ...tiered,
    route: `GET ${base}/pages`,
    cost: 'walk',
    summary: `Show all pages of the wiki of a ${noun}`,
    scope: scope as never,
    can: can.read as never,
    async run(input) {
      const ctx = input as unknown as Context & InWikiPlace
      const pages = await pagesOf(ctx, ctx.wiki.side)
      return page(ctx, { ...frame(ctx, 'Pages of the wiki'), body: listView(ctx.wiki.base, pages, await sideOf(ctx, pages)) })
    },
  })
  const history = pageEndpoint({
    ...tiered,
    route: `GET ${base}/:slug/history`,
    cost: 'walk',
    summary: `Show the history of a page of the wiki of a ${noun}`,
    scope: inOne as never,
    can: can.read as never,
    params: listParams,
    async run(input) {
      const ctx = input as unknown as Context & InOnePage & { params: { page: number; per_page: number } }
      const found = await findPage(ctx, ctx.wiki.side, ctx.slug)
      const versions = {
        slice: (offset: number, limit: number) => versionsOf(found, offset, limit),
        count: (most: number) => countVersions(found, most),
      }
      const commits = await listPage(ctx, versions, ctx.params)
      return page(ctx, { ...frame(ctx, `History of ${found.title}`), body: historyView(ctx.wiki.base, found, commits.rows, commits.links) })
    },
  })

  const fieldsFor = (ctx: Context & InWikiPlace): readonly FieldSpec[] => [
    { name: 'title', control: 'text', required: true, autofocus: true, hint: 'With folders, if it has any: `guides/First steps`.' },
    {
      name: 'content',
      control: 'markdown',
      base: eitherPath(ctx, '/-'),
      ...(ctx.project ? {} : { withoutFiles: true as const }),
      hint: '`[[Other page]]` links to another page.',
    },
    {
      name: 'format',
      label: 'Markup',
      choices: [
        ['markdown', 'Markdown'],
        ['asciidoc', 'AsciiDoc'],
        ['rdoc', 'RDoc (shown as written)'],
        ['org', 'Org (shown as written)'],
      ],
      hint: '',
    },
    { name: 'message', control: 'text', label: 'What was done', hint: 'The message of the commit; may be left empty.' },
  ]
  const scripts = ['markdown_editor.js']
  const pageAt = ({ wiki }: InWikiPlace, { slug }: { readonly slug: string }): string => wikiPath(wiki.base, slug)

  const creation = form<InWikiPlace>({
    path: `${base}/new`,
    summary: `Write a new page of the wiki of a ${noun}`,
    scope: scope as Scope<InWikiPlace, TProperties>,
    of: declarationOf(api, 'POST', /\/wikis$/),
    fields: fieldsFor,
    values: () => ({ format: 'markdown' }),
    next: (ctx, result) => pageAt(ctx, result),
    cancel: ({ wiki }) => wiki.base,
    notice: 'The page was written.',
    button: 'Save page',
    frame: ctx => ({ ...frame(ctx, 'New page'), scripts }),
  })
  const edit = form<InOnePage>({
    path: `${base}/:slug/edit`,
    summary: `Change a page of the wiki of a ${noun}`,
    scope: inOne as Scope<InOnePage, TProperties>,
    of: declarationOf(api, 'PUT', /:slug$/),
    cost: 'walk',
    // What is saved replaces the page as the form has shown it last: after a clash that is the newest one, which stands above the form.
    fields: async ctx => {
      const last = await lastCommitOf(await findPage(ctx, ctx.wiki.side, ctx.slug))
      return [
        ...fieldsFor(ctx),
        { name: 'last_commit_sha', own: () => html`<input type="hidden" name="last_commit_sha" value="${last?.id ?? ''}">` },
      ]
    },
    values: async ctx => {
      const found = await withContent(await findPage(ctx, ctx.wiki.side, ctx.slug))
      return { title: found.slug.replaceAll('-', ' '), content: found.content, format: found.format }
    },
    before: async (ctx, sent) => {
      if (!sent) return undefined
      const found = await findPage(ctx, ctx.wiki.side, ctx.slug)
      if (sent.last_commit_sha === (await lastCommitOf(found))?.id) return undefined
      const { content } = await withContent(found)
      return html`<details class="panel" open><summary>The page as it is now</summary><pre class="scroll" tabindex="0">${content}</pre></details>`
    },
    next: (ctx, result) => pageAt(ctx, result),
    cancel: ctx => pageAt(ctx, ctx),
    notice: 'The page was saved.',
    button: 'Save page',
    frame: ctx => ({ ...frame(ctx, `Edit ${titleOf(ctx.slug)}`), scripts }),
  })
  const remove = action<InOnePage>({
    route: `POST ${base}/:slug/delete`,
    of: declarationOf(api, 'DELETE', /:slug$/),
    scope: inOne as Scope<InOnePage, TProperties>,
    next: ({ wiki }) => wiki.base,
    notice: 'The page was deleted.',
  })
  return {
    home,
    all,
    showNew: creation.show,
    create: creation.submit,
    showEdit: edit.show,
    edit: edit.submit,
    remove,
    history,
    show,
  }
}

/** Bytes of a file that is shown or downloaded; larger ones are fetched by git. */
const MOST_FILE = 100 * 1024 * 1024

export const projectWikiPages = wikiPages({
  noun: 'project',
  route: '/:project_path',
  scope: inProjectWikiPlace as unknown as Scope<InWikiPlace>,
  api: projectWikis,
  can: { read: 'read_wiki', download: 'download_wiki', write: 'create_wiki', remove: 'admin_wiki' },
})

export const groupWikiPages = wikiPages({
  noun: 'group',
  route: '/groups/:group_path',
  scope: inGroupWikiPlace as unknown as Scope<InWikiPlace>,
  api: groupWikis,
  can: { read: 'read_group_wiki', download: 'download_group_wiki', write: 'create_group_wiki', remove: 'admin_group_wiki' },
})

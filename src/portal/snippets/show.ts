/** The pages of snippets: lists, one snippet with its files, raw files. */
import { reactionsTo } from '../../collaboration/award_emoji/queries.ts'
import { linksOf } from '../../collaboration/markdown/links.ts'
import { renderMarkdown } from '../../collaboration/markdown/reading.ts'
import { withVisibleNames } from '../../collaboration/notes/items/named.ts'
import { contentsOf, firstFile, rawFile } from '../../collaboration/snippets/contents.ts'
import { listProjectSnippets, listPublicSnippets, listSnippets } from '../../collaboration/snippets/endpoints.ts'
import { Snippet } from '../../collaboration/snippets/entity.ts'
import type { SnippetRow } from '../../collaboration/snippets/queries.ts'
import { isOpenToWrites } from '../../collaboration/snippets/scope.ts'
import { inSelf } from '../../identity/users/scope.ts'
import { type Ability, allows } from '../../platform/access/abilities.ts'
import { contentDisposition } from '../../platform/kernel/answer/disposition.ts'
import { presentAll } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { type ByteAnswer, bytes, endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { flag, text } from '../../platform/kernel/declaration/types.ts'
import { answerOf } from '../../platform/pages/answers.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { time } from '../../platform/pages/components/time.ts'
import { pages } from '../../platform/pages/dialect.ts'
import { actionButton } from '../../platform/pages/forms/action.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { listParams } from '../../platform/pages/lists.ts'
import { projectPath, projectPlace } from '../../spaces/projects/pages/place.ts'
import { projectPages } from '../../spaces/projects/pages/scope.ts'
import { type ProjectWithRole, projectSubject } from '../../spaces/projects/scope.ts'
import { areasView } from '../explore/areas.ts'
import { renderTexts } from '../items/texts.ts'
import { timelineOf } from '../items/timeline.ts'
import { timelineView } from '../items/timeline_view.ts'
import { markdownBody, textView } from '../markdown/body.ts'
import { reactionsView } from '../reactions/reactions_view.ts'
import { isBinary } from '../repository/files/blob_kind.ts'
import { highlightedLines } from '../repository/highlight/highlight.ts'
import { commentSection, frameOf } from './comments.ts'
import { inProjectSnippetPage, inSnippetPage, inSnippetsPage, SNIPPET } from './scope.ts'
import { cloneView, fileView, type ShownFile, type ShownSnippet, snippetList, snippetPath, visibilityView } from './view.ts'

const NEW = '/-/snippets/new'

const newButton = (path: string): Html => html`<a class="btn btn-primary" href="${path}" data-hotkey="c">New snippet</a>`

/** A list with what stands above it. */
const listBody = (title: string, rows: readonly ShownSnippet[], links: Html | undefined, create: Html | undefined, above?: Html): Html =>
  html`<div class="heading"><h1>${title}</h1>${create && html`<div class="row">${create}</div>`}</div>${above}
${
  rows.length > 0
    ? snippetList(rows)
    : empty({
        icon: 'code',
        title: 'No snippets yet',
        says: 'A snippet is a few files to keep or to show: a script, a log, an example. It is a git repository of its own.',
        ...(create && { action: create }),
      })
}${links}`

export const showOwnSnippets = pageEndpoint({
  route: 'GET /-/snippets',
  summary: 'Show one’s snippets',
  scope: inSelf,
  can: 'update_own',
  params: listParams,
  async run(ctx) {
    const { rows, links } = await answerOf(ctx, listSnippets, { page: ctx.params.page, per_page: ctx.params.per_page })
    const create = ctx.actor.user?.external ? undefined : newButton(NEW)
    return page(ctx, {
      title: 'Your snippets',
      heading: 'own',
      body: listBody('Your snippets', rows, links, create, areasView(ctx, '/-/snippets')),
    })
  },
})

export const explorePublicSnippets = pageEndpoint({
  route: 'GET /explore/snippets',
  summary: 'Show the personal snippets that are public',
  scope: inInstance,
  can: 'read_instance',
  params: listParams,
  async run(ctx) {
    const { rows, links } = await answerOf(ctx, listPublicSnippets, { page: ctx.params.page, per_page: ctx.params.per_page })
    const create = ctx.actor.user && !ctx.actor.user.external ? newButton(NEW) : undefined
    return page(ctx, {
      title: 'Snippets',
      heading: 'own',
      body: listBody('Snippets', rows, links, create, areasView(ctx, '/explore/snippets')),
    })
  },
})

const mayIn = ({ actor, project }: Context & { readonly project: ProjectWithRole }, ability: Ability, own = false): boolean =>
  allows(actor, ability, { ...projectSubject(project), own }) === 'yes'

export const showProjectSnippets = pageEndpoint({
  route: 'GET /:project_path/-/snippets',
  summary: 'Show the snippets of a project',
  scope: inSnippetsPage,
  can: 'list_snippets',
  params: listParams,
  async run(ctx) {
    const { actor, project } = ctx
    const { rows, links } = await answerOf(ctx, listProjectSnippets, { page: ctx.params.page, per_page: ctx.params.per_page })
    const create = mayIn(ctx, 'create_snippet') ? newButton(projectPath(project, '/-/snippets/new')) : undefined
    const place = projectPlace(actor, project, 'snippets')
    return page(ctx, { title: 'Snippets', place, heading: 'own', body: listBody('Snippets', rows, links, create) })
  },
})

/** The files of a snippet with their lines highlighted, as the page of a repository's file has them. */
const filesOf = async (ctx: Context, snippet: SnippetRow): Promise<readonly ShownFile[]> =>
  Promise.all(
    (await contentsOf(ctx.deps, snippet)).map(async ({ id, path, size, content }): Promise<ShownFile> => {
      if (content === undefined)
        return { path, size, shown: { why: 'The file is too large to be shown here: take it raw, or download it.' } }
      if (isBinary(content)) return { path, size, shown: { why: 'The file is not a text: download it to see what it holds.' } }
      const text = content.toString('utf8')
      return { path, size, shown: { lines: await highlightedLines(id, path, text), text } }
    }),
  )

/** The description as HTML; that of a personal snippet stands in no project, and only full references in it are links. */
async function descriptionOf(ctx: Context & { readonly project?: ProjectWithRole }, given: string): Promise<Html> {
  if (ctx.project) return (await renderTexts(ctx, ctx.project, [given]))[0] as Html
  return markdownBody(await renderMarkdown(given, references => linksOf(ctx, undefined, references)))
}

/** The page of a snippet above its comments. */
async function bodyOf(
  ctx: Context & { readonly project?: ProjectWithRole },
  snippet: SnippetRow,
  mayChange: boolean,
  extra?: Html,
): Promise<Html> {
  const [[shown], files, description] = await Promise.all([
    presentAll(Snippet, ctx, [snippet]),
    filesOf(ctx, snippet),
    descriptionOf(ctx, snippet.description ?? ''),
  ])
  const json = shown as unknown as ShownSnippet
  const buttons =
    mayChange &&
    html`<div class="row"><a class="btn btn-sm" href="${snippetPath(snippet, '/edit')}" data-hotkey="e">Edit</a>${actionButton(ctx, {
      to: snippetPath(snippet, '/delete'),
      face: 'Delete',
      look: 'danger',
      asks: `Delete ${snippet.title}?`,
    })}</div>`
  return html`<div class="heading"><h1>${snippet.title} <span class="muted">$${snippet.id}</span></h1>${buttons}</div>
<div class="row facts item-facts"><span><a class="quiet strong" href="/${json.author.username}">${json.author.name}</a></span>${visibilityView(snippet.visibility)}<span>created ${time(json.created_at)}</span></div>
${snippet.description && html`<div class="description">${textView(description, undefined)}</div>`}${extra}
<div class="stack">${files.map((file, at) => fileView(snippet, file, at + 1))}${cloneView(json)}</div>`
}

export const showSnippet = pageEndpoint({
  route: 'GET /-/snippets/:snippet_id',
  summary: 'Show a snippet',
  scope: inSnippetPage,
  can: 'read_instance',
  async run(ctx) {
    const { snippet, actor } = ctx
    return page(ctx, { title: snippet.title, heading: 'own', body: await bodyOf(ctx, snippet, isOpenToWrites(actor, snippet)) })
  },
})

export const showProjectSnippet = pageEndpoint({
  route: `GET ${SNIPPET}`,
  summary: 'Show a snippet of a project',
  scope: inProjectSnippetPage,
  can: 'read_snippet',
  async run(ctx) {
    const { db, actor, project, snippet, noteable, isOwn } = ctx
    const frame = frameOf(ctx)
    const [timeline, reactions] = await Promise.all([
      withVisibleNames(db, actor, noteable).then(found => timelineOf(ctx, found)),
      reactionsTo(ctx, 'snippet_id', [snippet.id]),
    ])
    const extra = reactionsView(frame, snippetPath(snippet), reactions.get(snippet.id) ?? [])
    return page(ctx, {
      title: snippet.title,
      place: projectPlace(actor, project, 'snippets'),
      heading: 'own',
      scripts: ['markdown_editor.js'],
      body: html`${await bodyOf(ctx, snippet, mayIn(ctx, 'update_snippet', isOwn), extra)}
<section class="section" aria-label="Comments">${timelineView(frame, timeline)}</section>${await commentSection(ctx)}`,
    })
  },
})

/** A file as a download where the address says so. */
function disposed(answer: ByteAnswer, path: string, inline: boolean): ByteAnswer {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return inline ? answer : { ...answer, headers: { ...answer.headers, 'content-disposition': contentDisposition('attachment', name) } }
}

const rawParams = { inline: flag('Shown in the browser, not downloaded', { default: true }) }
const rawFileParams = {
  ...rawParams,
  ref: text('A branch, tag or commit', { minLength: 1, maxLength: 1024, examples: ['main'] }),
  file_path: text('Path of a file', { minLength: 1, maxLength: 4096, examples: ['prune.sh'] }),
}

/** The addresses of raw files of a snippet: of the first one, and of each by revision and path. */
const answers = bytes('text/plain')

export const showRawSnippet = endpoint({
  route: 'GET /-/snippets/:snippet_id/raw',
  summary: 'Show the raw content of the first file of a snippet',
  dialect: pages,
  scope: inSnippetPage,
  can: 'read_instance',
  params: rawParams,
  answers,
  errors: ['not_modified'],
  run: async ({ deps, snippet, params }) => disposed(await firstFile(deps, snippet), snippet.file_paths[0] ?? 'snippet', params.inline),
})

export const showRawSnippetFile = endpoint({
  route: 'GET /-/snippets/:snippet_id/raw/:ref/*file_path',
  summary: 'Show the raw content of a file of a snippet',
  dialect: pages,
  scope: inSnippetPage,
  can: 'read_instance',
  params: rawFileParams,
  answers,
  errors: ['not_modified'],
  run: async ({ deps, snippet, params: { ref, file_path, inline } }) =>
    disposed(await rawFile(deps, snippet, ref, file_path), file_path, inline),
})

export const showRawProjectSnippet = endpoint({
  route: `GET ${SNIPPET}/raw`,
  summary: 'Show the raw content of the first file of a snippet of a project',
  dialect: projectPages,
  scope: inProjectSnippetPage,
  can: 'read_snippet',
  params: rawParams,
  answers,
  errors: ['not_modified'],
  run: async ({ deps, snippet, params }) => disposed(await firstFile(deps, snippet), snippet.file_paths[0] ?? 'snippet', params.inline),
})

export const showRawProjectSnippetFile = endpoint({
  route: `GET ${SNIPPET}/raw/:ref/*file_path`,
  summary: 'Show the raw content of a file of a snippet of a project',
  dialect: projectPages,
  scope: inProjectSnippetPage,
  can: 'read_snippet',
  params: rawFileParams,
  answers,
  errors: ['not_modified'],
  run: async ({ deps, snippet, params: { ref, file_path, inline } }) =>
    disposed(await rawFile(deps, snippet, ref, file_path), file_path, inline),
})

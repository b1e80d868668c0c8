/** The form of a comment on a file or a line of a commit: at the line in the diff, or on a page of its own that shows the lines to choose from. */
import { Body } from '../../collaboration/notes/params.ts'
import { type DiffLine, diffOfCommit, linesOf, type ObjectId, rawDiffLimits } from '../../platform/git/index.ts'
import { optional, text } from '../../platform/kernel/declaration/types.ts'
import { form, type Values } from '../../platform/pages/forms/form.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { createCommitDiscussion } from '../../review/commit_comments/endpoints.ts'
import { endsOfCommit } from '../../review/commit_comments/positions.ts'
import { projectPath, projectPlace } from '../../spaces/projects/pages/place.ts'
import { typed } from '../items/comment_fields.ts'
import { isForScript } from '../merge_requests/review/addresses.ts'
import { fileField } from '../merge_requests/review/commenting/file_field.ts'
import { lineText, lineWords, readLine } from '../merge_requests/review/places.ts'
import { threadElement } from '../merge_requests/review/thread_view.ts'
import type { Caller } from './lines.ts'
import { COMMIT, commitPath, inCommentedPage, lineThreadsPath } from './scope.ts'

/** Lines of a file that one can choose from on a page. */
const MOST_CHOICES = 10_000

/** What the form is about: from its address, or from what was sent. */
function placeOf({ request }: Pick<Caller, 'request'>, sent: Values | undefined) {
  const query = new URLSearchParams(request.address.split('?', 2)[1] ?? '')
  const value = (name: string): string => String(sent?.[name] ?? query.get(name) ?? '')
  return { path: value('path'), line: readLine(value('line')) }
}

const isInFrame = ({ request }: Pick<Caller, 'request'>): boolean => request.headers['turbo-frame'] !== undefined

/** The element that the form stands in, as a script named it. */
function frameId({ request }: Caller): string | undefined {
  const { 'turbo-frame': named } = request.headers
  return typeof named === 'string' && /^comment-[\w-]{1,80}$/.test(named) ? named : undefined
}

async function linesIn({ commit: { commit, repository } }: Caller, path: string): Promise<readonly DiffLine[]> {
  if (path === '') return []
  const { entries } = await diffOfCommit(repository, commit, { limits: rawDiffLimits, paths: [path] })
  const [entry] = entries
  return entry ? linesOf(entry) : []
}

/** The lines of a file, each with a button that leads to the form for it. */
async function choicesView(ctx: Caller): Promise<Html | undefined> {
  const { path, line } = placeOf(ctx, undefined)
  const lines = line ? [] : await linesIn(ctx, path)
  if (lines.length === 0) return undefined
  const shown = lines.slice(0, MOST_CHOICES)
  return html`<section class="panel section" id="lines"><header><h2>Or on a line</h2></header><form action="${commitPath(ctx, '/comments/new')}"><input type="hidden" name="path" value="${path}"><table class="code diff inline choices" aria-label="Lines of ${path}"><tbody>${shown.map(
    choice =>
      html`<tr class="${choice.type}"><td class="choose"><button class="add-comment" name="line" value="${lineText(choice)}" aria-label="Comment on line ${lineWords(choice)}"></button></td><td class="number">${choice.old_line}</td><td class="number">${choice.new_line}</td><td class="sign"></td><td class="text">${choice.text}</td></tr>`,
  )}</tbody></table></form>${lines.length > shown.length && html`<p class="body muted">Only the first ${shown.length} lines are shown.</p>`}</section>`
}

const begin = form<Caller>({
  path: `${COMMIT}/comments/new`,
  cost: 'walk',
  summary: 'Comment on a file or a line of a commit',
  scope: inCommentedPage as never,
  of: createCommitDiscussion,
  instead: {
    of: ['body', 'position', 'created_at', 'confidential', 'internal'],
    params: {
      body: Body,
      path: text('The file', { maxLength: 4096, examples: ['README.md'] }),
      line: optional(text('Its number before and after the change: `10_12`', { maxLength: 20 })),
    },
    async adapt(ctx, sent) {
      const { path, line } = placeOf(ctx, sent as Values)
      const { base_sha, head } = endsOfCommit(ctx.commit.commit)
      const common = { base_sha, start_sha: base_sha, head_sha: head, old_path: path, new_path: path }
      return {
        body: typed(sent.body),
        position: line ? { ...common, ...line, position_type: 'text' } : { ...common, position_type: 'file' },
      }
    },
  },
  async fields(ctx, sent) {
    const { path, line } = placeOf(ctx, sent)
    const { commit, repository } = ctx.commit
    const { base, head } = endsOfCommit(commit)
    return [
      path === '' ? await fileField(repository, base as ObjectId, head as ObjectId) : { name: 'path', control: 'hidden' },
      ...(line ? [{ name: 'line', control: 'hidden' } as const] : []),
      { name: 'body', label: 'Comment', control: 'markdown', base: projectPath(ctx.project, '/-'), hint: '', autofocus: true },
    ]
  },
  values(ctx) {
    const { path, line } = placeOf(ctx, undefined)
    return { path, ...(line && { line: lineText(line) }) }
  },
  before(ctx, sent) {
    const { path, line } = placeOf(ctx, sent)
    if (isInFrame(ctx)) return undefined
    if (path === '')
      return html`<p>On one of the files. To comment on a line, choose it in the <a href="${commitPath(ctx)}">changes</a>.</p>`
    return html`<p>On ${line ? html`line ${lineWords(line)} of` : 'the file'} <span class="mono">${path}</span></p>`
  },
  next(ctx, said: { readonly id: string }) {
    const element = threadElement(said.id)
    return isForScript(ctx) ? lineThreadsPath(ctx, [element]) : commitPath(ctx, `#${element}`)
  },
  cancel: ctx => commitPath(ctx),
  after: async ctx =>
    html`${isInFrame(ctx) ? html`<button type="button" class="btn btn-sm" data-close-comment>Cancel</button>` : await choicesView(ctx)}`,
  notice: 'The comment was added.',
  button: 'Comment',
  within: frameId,
  frame: ({ actor, project, commit }) => ({
    title: `Comment on ${commit.commit.id.slice(0, 8)}`,
    place: projectPlace(actor, project, 'commits'),
    scripts: ['markdown_editor.js'],
    width: 'wide',
  }),
})

export const commentOnLines = { showBeginOnLine: begin.show, beginOnLine: begin.submit }

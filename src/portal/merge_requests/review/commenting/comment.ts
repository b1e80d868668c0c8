/** Comments on a file, a line or lines of the changes: begun at a line of the diff, or on a page of their own that shows the lines around it. */
import { discussionEndpoints } from '../../../../collaboration/discussions/endpoints.ts'
import { Body } from '../../../../collaboration/notes/params.ts'
import {
  type DiffEntry,
  type DiffLine,
  diffBetween,
  isObjectId,
  lineMap,
  linesOf,
  type ObjectId,
  type Repository,
  rawDiffLimits,
  readLines,
  resolveCommits,
} from '../../../../platform/git/index.ts'
import type { Endpoint } from '../../../../platform/kernel/declaration/endpoint.ts'
import { integer, optional, text } from '../../../../platform/kernel/declaration/types.ts'
import { invalid } from '../../../../platform/kernel/errors.ts'
import { declarationOf } from '../../../../platform/pages/forms/declared.ts'
import type { FieldSpec } from '../../../../platform/pages/forms/fields.ts'
import { form, type Values } from '../../../../platform/pages/forms/form.ts'
import { type Html, html } from '../../../../platform/pages/html.ts'
import { mergeRequestApi } from '../../../../review/merge_requests/item_kind/noteable.ts'
import { latestSpan } from '../../../../review/merge_requests/versions/queries.ts'
import { projectPath, projectPlace } from '../../../../spaces/projects/pages/place.ts'
import { typed } from '../../../items/comment_fields.ts'
import { revisionPage } from '../../../repository/addresses.ts'
import { anchorOf, lineNameOf } from '../../../repository/diffs/anchor.ts'
import type { Caller, InMergeRequest } from '../../page.ts'
import { inMergeRequestPage, MERGE_REQUEST, mergeRequestPath } from '../../scope.ts'
import { changesAt, isForScript, threadsPath } from '../addresses.ts'
import { addToReview, draftParam, elementOf, orDraft } from '../or_draft.ts'
import {
  type LineNumbers,
  lineText,
  lineWords,
  type PicturePoint,
  pictureText,
  pointText,
  readLine,
  readPicture,
  readPoint,
  wrongOf,
} from '../places.ts'
import { fileField } from './file_field.ts'

const threads = discussionEndpoints(mergeRequestApi, true)

/** Begins a thread, by the API's declaration. */
export const beginThread = declarationOf(threads, 'POST', /\/discussions$/)

/** A thread on the changes, or a draft of one. */
const beginOrDraft: Endpoint = orDraft(beginThread)

/** Lines above the one that is commented on that a comment may begin at, and those that are shown below it. */
const ABOVE = 20
const BELOW = 3

/** Lines of a file that one can choose from on a page. */
const MOST_CHOICES = 10_000

/** Characters of a line that are shown. */
const LONG_LINE = 300

/** What the form is about. */
interface Place {
  readonly path: string
  readonly old_path: string
  readonly base_sha: string
  readonly start_sha: string
  readonly head_sha: string
  /** Without a line or a point it is about the file. */
  readonly line: LineNumbers | undefined
  readonly point: PicturePoint | undefined
  /** The picture that the point is on: where its numbers are asked for, the point may be none yet. */
  readonly picture: Omit<PicturePoint, 'x' | 'y'> | undefined
  /** The first of several lines. */
  readonly first: LineNumbers | undefined
}

/** From the address of the form, or from what was sent. */
function placeOf({ mergeRequest, request }: Caller, sent: Values | undefined): Place {
  const query = new URLSearchParams(request.address.split('?', 2)[1] ?? '')
  const value = (name: string, otherwise = ''): string => String(sent?.[name] ?? (query.get(name) || otherwise))
  const span = latestSpan(mergeRequest)
  const path = value('path')
  const picture = readPicture(value('picture'))
  const point = picture ? pointIn(picture, value('x'), value('y')) : readPoint(value('point'))
  return {
    path,
    old_path: value('old_path', path),
    base_sha: value('base_sha', span?.base_commit_sha),
    start_sha: value('start_sha', span?.start_commit_sha),
    head_sha: value('head_sha', span?.head_commit_sha),
    line: readLine(value('line')),
    point,
    picture: picture ?? point,
    first: readLine(value('first')),
  }
}

/** The place on a picture that two numbers name; undefined where one of them names none. */
const pointIn = (picture: NonNullable<Place['picture']>, x: string, y: string): PicturePoint | undefined =>
  Object.keys(wrongOf({ x, y }, picture)).length === 0 ? { ...picture, x: Number(x), y: Number(y) } : undefined

/** Lines around a place, and the index of the line that it names. */
interface Around {
  readonly lines: readonly DiffLine[]
  /** -1: the changes do not have the line. */
  readonly at: number
}

/** The changes of the file that a place is in, with the commit that they lead to. At most three processes. */
async function changesOf(
  { repository }: Caller,
  { path, old_path, base_sha, head_sha }: Place,
): Promise<{ readonly repository: Repository; readonly head: ObjectId; readonly entry: DiffEntry } | undefined> {
  if (!repository || path === '' || !isObjectId(base_sha) || !isObjectId(head_sha)) return undefined
  const [base, head] = await resolveCommits(repository, [base_sha, head_sha])
  if (!base || !head) return undefined
  const { entries } = await diffBetween(repository, base, head, { paths: [...new Set([path, old_path])], limits: rawDiffLimits })
  const entry = entries.find(({ new_path }) => new_path === path)
  return entry && { repository, head, entry }
}

/** The lines around a place, as far as they follow each other. */
async function linesAround(ctx: Caller, place: Place): Promise<Around> {
  const { line } = place
  const changes = line && (await changesOf(ctx, place))
  if (!changes) return { lines: [], at: -1 }
  const all = linesOf(changes.entry)
  const at = indexOfLine(all, line)
  if (at < 0) return unchangedAround(changes.repository, changes.head, changes.entry, line)
  let [from, to] = [at, at]
  while (from > Math.max(0, at - ABOVE) && isNext(all[from - 1], all[from])) from--
  while (to < at + BELOW && isNext(all[to], all[to + 1])) to++
  return { lines: all.slice(from, to + 1), at: at - from }
}

/**
 * The line with these numbers; of an unchanged line one of them is enough. Where white space is left out, a line is shown as unchanged that was removed
 * and added: then the new one is meant.
 */
function indexOfLine(lines: readonly DiffLine[], { old_line, new_line }: LineNumbers): number {
  const exact = (shown: DiffLine) => shown.old_line === old_line && shown.new_line === new_line
  const fits = (shown: DiffLine) => (old_line === null || shown.old_line === old_line) && (new_line === null || shown.new_line === new_line)
  const isNew = (shown: DiffLine) => new_line !== null && shown.new_line === new_line
  const [found = -1] = [exact, fits, isNew].map(is => lines.findIndex(is)).filter(index => index >= 0)
  return found
}

/** Does one line follow the other, without lines between that the diff does not show? */
const isNext = (upper: DiffLine | undefined, lower: DiffLine | undefined): boolean =>
  upper !== undefined && lower !== undefined && lower.old_reached - upper.old_reached <= 1 && lower.new_reached - upper.new_reached <= 1

/** An unchanged line that the diff does not show. */
async function unchangedAround(
  repository: Repository,
  head: ObjectId,
  entry: DiffEntry,
  { old_line, new_line }: LineNumbers,
): Promise<Around> {
  const none = { lines: [], at: -1 }
  if (old_line === null || new_line === null || lineMap(entry).toNew(old_line) !== new_line) return none
  const text = await readLines(repository, head, entry.new_path, { from: new_line, to: new_line })
  if (text === undefined) return none
  const numbers = { old_line, new_line, old_reached: old_line, new_reached: new_line }
  return { lines: [{ type: 'context', ...numbers, text: text.replace(/\r?\n$/, '') }], at: 0 }
}

/** The first line that a comment is about: what was chosen, if it is among the lines and above. */
function firstOf({ lines, at }: Around, { first }: Place): number {
  const index = first ? indexOfLine(lines, first) : at
  return index < 0 || index > at ? at : index
}

/** The text of a suggestion: the lines that are commented on, to be changed; '' where the last of them is not in the file any more. */
function suggestionOf({ lines, at }: Around, from: number): string {
  if (at < 0 || lines[at]?.new_line === null) return ''
  const replaced = lines.slice(from, at + 1).filter(({ new_line }) => new_line !== null)
  const texts = replaced.map(({ text: line }) => line)
  // Longer than any run of the same sign within.
  const fence = '`'.repeat(Math.max(3, ...texts.flatMap(line => (line.match(/`+/g) ?? []).map(run => run.length + 1))))
  return `${fence}suggestion:-${replaced.length - 1}+0\n${texts.join('\n')}\n${fence}\n`
}

/** The same form with a suggestion in it; undefined where there is one, or no line to change. */
function suggestLink({ request }: Caller, { line }: Place): Html | undefined {
  if (line === undefined || line.new_line === null || /[?&]suggest=/.test(request.address)) return undefined
  return html`<suggest-change><a class="btn btn-sm" href="${request.address}&suggest=1">Suggest a change</a></suggest-change>`
}

const numbersOf = ({ old_line, new_line }: DiffLine): LineNumbers => ({ old_line, new_line })

const cut = (line: string): string => (line.length > LONG_LINE ? `${line.slice(0, LONG_LINE)}…` : line)

const hidden = (name: string): FieldSpec => ({ name, control: 'hidden' })

/** The field of the first line: where there is a choice. */
const firstField = ({ lines, at }: Around): readonly FieldSpec[] =>
  at < 1
    ? []
    : [
        {
          name: 'first',
          label: 'From line',
          control: 'select',
          hint: '',
          required: true,
          choices: lines.slice(0, at + 1).map(line => [lineText(line), `${lineWords(line)}: ${cut(line.text).slice(0, 60)}`] as const),
        },
      ]

function aroundView(ctx: Caller, place: Place, around: Around): Html {
  const { path, line, picture } = place
  if (path === '')
    return html`<p>On one of the files. To comment on a line, choose it in the <a href="${mergeRequestPath(ctx, '/diffs')}">changes</a>.</p>`
  if (picture) return pictureView(ctx, place, picture)
  if (!line) return html`<p>On the file <span class="mono">${path}</span></p>`
  const { lines, at } = around
  if (at < 0)
    return html`<p class="notice attention" role="alert">The changes of <span class="mono">${path}</span> do not have line ${lineWords(line)}.</p>`
  const from = firstOf(around, place)
  return html`<section class="panel section"><header><h2 class="mono">${path}</h2></header><table class="code diff inline" aria-label="The lines around"><tbody>${lines.map(
    (shown, index) =>
      html`<tr class="${shown.type}${index >= from && index <= at && ' commented'}"><td class="number">${shown.old_line}</td><td class="number">${shown.new_line}</td><td class="sign"></td><td class="text">${cut(shown.text)}</td></tr>`,
  )}</tbody></table></section>`
}

/** The lines of a file, each with a button that leads to the form for it: for who has no script. Undefined where there are none. */
async function choicesView(ctx: Caller, place: Place): Promise<Html | undefined> {
  const { path, line, point: _point, picture, first: _first, ...rest } = place
  if (line || picture) return undefined
  const changes = await changesOf(ctx, place)
  const lines = changes ? linesOf(changes.entry) : []
  if (lines.length === 0) return undefined
  const shown = lines.slice(0, MOST_CHOICES)
  return html`<section class="panel section" id="lines"><header><h2>Or on a line</h2></header><form action="${mergeRequestPath(ctx, '/diffs/comments/new')}">${Object.entries(
    { path, ...rest },
  ).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}<table class="code diff inline choices" aria-label="Lines of ${path}"><tbody>${shown.map(
    (choice, index) =>
      html`${index > 0 && !isNext(lines[index - 1], choice) && html`<tr class="hunk"><td colspan="5">…</td></tr>`}<tr class="${choice.type}"><td class="choose"><button class="add-comment" name="line" value="${lineText(choice)}" aria-label="Comment on line ${lineWords(choice)}"></button></td><td class="number">${choice.old_line}</td><td class="number">${choice.new_line}</td><td class="sign"></td><td class="text">${cut(choice.text)}</td></tr>`,
  )}</tbody></table></form>${lines.length > shown.length && html`<p class="body muted">Only the first ${shown.length} lines are shown.</p>`}</section>`
}

/** The picture that a comment is about, with a mark at the place. */
function pictureView({ project }: Caller, place: Place, { side }: NonNullable<Place['picture']>): Html {
  const { path, old_path, base_sha, head_sha, point } = place
  const [commit, shown] = side === 'old' ? [base_sha, old_path] : [head_sha, path]
  const says = html`<span class="mono">${path}</span>, ${side === 'old' ? 'before' : 'after'} the change`
  if (!isObjectId(commit)) return html`<p>On a place of ${says}.</p>`
  const mark =
    point &&
    html`<svg class="pins mark" aria-hidden="true"><circle cx="${(100 * point.x) / point.width}%" cy="${(100 * point.y) / point.height}%" r="8"/></svg>`
  return html`<p>On a place of ${says}.</p><div class="pictures"><div class="pane"><div class="picture"><img src="${revisionPage(project, 'raw', commit, shown)}" alt="${path}, ${side === 'old' ? 'before' : 'after'} the change">${mark}</div></div></div>`
}

/** The numbers of a place on a picture: where no script says it. */
function numberFields(ctx: Caller, { picture }: Place): readonly FieldSpec[] {
  if (!picture) return []
  if (isInFrame(ctx)) return [hidden('point')]
  return [
    hidden('picture'),
    { name: 'x', label: 'From the left', hint: `A whole number from 0 to ${picture.width}`, required: true },
    { name: 'y', label: 'From the top', hint: `A whole number from 0 to ${picture.height}`, required: true },
  ]
}

/** The field that asks for a file, where the address names none. */
async function anyFile({ repository }: Caller, { base_sha, head_sha }: Place): Promise<FieldSpec> {
  if (!repository || !isObjectId(base_sha) || !isObjectId(head_sha)) return fileField(undefined, undefined, undefined)
  const [base, head] = await resolveCommits(repository, [base_sha, head_sha])
  return fileField(repository, base, head)
}

/** The element that the form stands in: what a script named, at the line of the diff. A page of its own leads on as a whole. */
function frameId(ctx: Caller, place: Place): string | undefined {
  if (!isInFrame(ctx)) return undefined
  const { 'turbo-frame': named } = ctx.request.headers
  if (typeof named === 'string' && /^comment-[\w-]{1,80}$/.test(named)) return named
  const anchor = anchorOf(place.path)
  return `comment-${place.line ? lineNameOf(anchor, place.line) : anchor}`
}

const isInFrame = ({ request }: Caller): boolean => request.headers['turbo-frame'] !== undefined

const comment = form<InMergeRequest>({
  path: `${MERGE_REQUEST}/diffs/comments/new`,
  cost: 'walk',
  summary: 'Comment on the changes of a merge request',
  scope: inMergeRequestPage,
  of: beginOrDraft,
  instead: {
    of: ['body', 'position', 'commit_id', 'created_at', 'confidential', 'internal'],
    params: {
      body: Body,
      path: text('The file', { maxLength: 4096, examples: ['README.md'] }),
      old_path: optional(text('The file before the change', { maxLength: 4096 })),
      base_sha: optional(text('Where source and target part', { maxLength: 64 })),
      start_sha: optional(text('The tip of the target branch', { maxLength: 64 })),
      head_sha: optional(text('The tip of the source branch', { maxLength: 64 })),
      line: optional(text('The line, or the last of several: its number before and after the change', { maxLength: 20 })),
      first: optional(text('The first of several lines', { maxLength: 20 })),
      point: optional(text('A place on the picture before or after the change, and its size: `new 40 24 64 64`', { maxLength: 40 })),
      picture: optional(text('In place of `point`: the picture, and its size: `new 64 64`', { maxLength: 20 })),
      x: optional(integer('Pixels from the left edge of the picture')),
      y: optional(integer('Pixels from its top edge')),
      draft: draftParam,
    },
    async adapt(ctx, params) {
      const place = placeOf(ctx, params)
      const { path, old_path, base_sha, start_sha, head_sha, line, point, picture } = place
      if (picture && !point) throw invalid({ ...wrongOf({ x: params.x, y: params.y }, picture) })
      const common = { base_sha, start_sha, head_sha, old_path, new_path: path }
      const { draft } = params
      if (point) return { body: typed(params.body), draft, position: { ...common, position_type: 'image', ...point } }
      if (!line) return { body: typed(params.body), draft, position: { ...common, position_type: 'file' } }
      const around = await linesAround(ctx, place)
      const last = around.lines[around.at]
      if (!last) throw invalid({ body: ['is on a line that these changes do not have'] })
      const first = around.lines[firstOf(around, place)] as DiffLine
      const position = {
        ...common,
        position_type: 'text',
        ...numbersOf(last),
        ...(first !== last && { line_range: { start: numbersOf(first), end: numbersOf(last) } }),
      }
      return { body: typed(params.body), draft, position }
    },
  },
  async fields(ctx, sent) {
    const place = placeOf(ctx, sent)
    return [
      place.path === '' ? await anyFile(ctx, place) : hidden('path'),
      ...['old_path', 'base_sha', 'start_sha', 'head_sha', ...(place.line ? ['line'] : [])].map(hidden),
      ...numberFields(ctx, place),
      ...firstField(await linesAround(ctx, place)),
      { name: 'body', label: 'Comment', control: 'markdown', base: projectPath(ctx.project, '/-'), hint: '', autofocus: true },
    ]
  },
  async values(ctx) {
    const { line, point, picture, first: _first, ...place } = placeOf(ctx, undefined)
    const around = await linesAround(ctx, placeOf(ctx, undefined))
    const first = around.lines[firstOf(around, placeOf(ctx, undefined))]
    const asked = new URLSearchParams(ctx.request.address.split('?', 2)[1] ?? '').has('suggest')
    return {
      ...place,
      ...(point && { point: pointText(point), x: point.x, y: point.y }),
      ...(picture && { picture: pictureText(picture) }),
      ...(line && { line: lineText(line), ...(first && { first: lineText(first) }) }),
      ...(asked && { body: suggestionOf(around, firstOf(around, placeOf(ctx, undefined))) }),
    }
  },
  async before(ctx, sent) {
    const place = placeOf(ctx, sent)
    return isInFrame(ctx) ? undefined : aroundView(ctx, place, await linesAround(ctx, place))
  },
  second: () => addToReview,
  next(ctx, said: { readonly id?: string | number }) {
    const element = said.id === undefined ? undefined : elementOf(said.id)
    return isForScript(ctx)
      ? threadsPath(ctx, element === undefined ? [] : [element])
      : changesAt(ctx, placeOf(ctx, ctx.params).path, element)
  },
  cancel: ctx => mergeRequestPath(ctx, '/diffs'),
  after: async ctx =>
    html`<div class="row suggest-row">${suggestLink(ctx, placeOf(ctx, undefined))}${isInFrame(ctx) && html`<button type="button" class="btn btn-sm" data-close-comment>Cancel</button>`}</div>${!isInFrame(ctx) && (await choicesView(ctx, placeOf(ctx, undefined)))}`,
  notice: (said: { readonly id?: unknown }) =>
    typeof said.id === 'number' ? 'The comment was added to your review.' : 'The comment was added.',
  button: 'Add comment now',
  within: ctx => frameId(ctx, placeOf(ctx, undefined)),
  frame: ({ actor, project, mergeRequest }) => ({
    title: `Comment on the changes of !${mergeRequest.iid}`,
    place: projectPlace(actor, project, 'merge_requests'),
    scripts: ['markdown_editor.js'],
    width: 'wide',
  }),
})

export const commentOnChanges = { showComment: comment.show, comment: comment.submit }

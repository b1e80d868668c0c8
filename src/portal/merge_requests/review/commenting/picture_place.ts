/**
 * Chooses the place on a picture that a comment is about, without a script: by a click on the picture, or by two numbers. The browser sends where on
 * the shown picture the click was; its size is read from the file.
 */
import { entryAt, isObjectId, type ObjectId, type Repository, resolveCommits, streamBlob } from '../../../../platform/git/index.ts'
import type { ByteAnswer } from '../../../../platform/kernel/declaration/endpoint.ts'
import { integer, OneOf, optional, text } from '../../../../platform/kernel/declaration/types.ts'
import { notFound } from '../../../../platform/kernel/errors.ts'
import { type ImageSize, pixelsOf } from '../../../../platform/kernel/request/images.ts'
import { icon } from '../../../../platform/pages/components/icon.ts'
import { pageEndpoint } from '../../../../platform/pages/forms/declare.ts'
import { field } from '../../../../platform/pages/forms/fields.ts'
import { page, redirect } from '../../../../platform/pages/frame/document.ts'
import { type Html, html } from '../../../../platform/pages/html.ts'
import { latestSpan } from '../../../../review/merge_requests/versions/queries.ts'
import { projectPlace } from '../../../../spaces/projects/pages/place.ts'
import { revisionPage } from '../../../repository/addresses.ts'
import { pictureType } from '../../../repository/files/blob_kind.ts'
import type { Caller } from '../../page.ts'
import { inMergeRequestPage, MERGE_REQUEST, mergeRequestPath } from '../../scope.ts'
import { pointText, type Wrong, wrongOf } from '../places.ts'
import { beginThread } from './comment.ts'

/** Pixels of the window that a picture takes at most, and those that a small one is enlarged to. */
const WIDEST = 720
const HIGHEST = 600
const SMALL = 320
const MOST_TIMES = 8

/** Bytes at the beginning of a file that have its size: those of a text are searched, so they are fewer. */
const HEADER = 1024 * 1024
const HEADER_OF_TEXT = 16 * 1024

/** What the address says besides the place. */
interface Asked {
  readonly path: string
  readonly old_path?: string | undefined
  readonly base_sha: string
  readonly start_sha: string
  readonly head_sha: string
  readonly side: 'old' | 'new'
}

const numbers = { x: integer('Pixels from the left edge of the picture'), y: integer('Pixels from its top edge') }

export const choosePicturePlace = pageEndpoint({
  route: `GET ${MERGE_REQUEST}/diffs/comments/place`,
  summary: 'Choose the place on a picture that a comment is about',
  scope: inMergeRequestPage,
  can: beginThread.can as never,
  params: {
    path: optional(text('The file', { maxLength: 4096 })),
    old_path: optional(text('The file before the change', { maxLength: 4096 })),
    base_sha: optional(text('Where source and target part', { maxLength: 64 })),
    start_sha: optional(text('The tip of the target branch', { maxLength: 64 })),
    head_sha: optional(text('The tip of the source branch', { maxLength: 64 })),
    side: OneOf(['old', 'new'], { description: 'The picture before or after the change', default: 'new' }),
    // Texts: what is no number gets its message on the page.
    x: optional(text('Pixels from the left edge of the picture', { maxLength: 20 })),
    y: optional(text('Pixels from its top edge', { maxLength: 20 })),
    'at.x': optional(integer('Where on the shown picture the click was, from the left')),
    'at.y': optional(integer('The same from the top')),
  },
  async run(ctx) {
    const { x, y, 'at.x': clickedX, 'at.y': clickedY, path = '', old_path, side } = ctx.params
    if (path === '') return withoutPicture(ctx)
    const { repository, mergeRequest, params } = ctx
    const span = latestSpan(mergeRequest)
    const asked = {
      path,
      old_path,
      base_sha: params.base_sha ?? span?.base_commit_sha ?? '',
      start_sha: params.start_sha ?? span?.start_commit_sha ?? '',
      head_sha: params.head_sha ?? span?.head_commit_sha ?? '',
      side,
    }
    const [shownPath, shownCommit] = asked.side === 'old' ? [asked.old_path ?? asked.path, asked.base_sha] : [asked.path, asked.head_sha]
    const blob = repository && (await pictureAt(repository, shownCommit, shownPath))
    if (!repository || !blob) throw notFound('Picture')
    const address = revisionPage(ctx.project, 'raw', shownCommit, shownPath)
    const size = await sizeOf(repository, blob, shownPath)
    if (!size) return withoutSize(ctx, asked, address)
    const on = { asked, address, size }
    // Browsers send 0 and 0 where the picture was pressed by keyboard, which names no place.
    if (clickedX !== undefined && clickedY !== undefined && clickedX + clickedY > 0) {
      const times = timesShown(size)
      const within = (clicked: number, most: number) => Math.min(most, Math.max(0, Math.round(clicked / times)))
      return redirect(commentPath(ctx, on, within(clickedX, size.width), within(clickedY, size.height)))
    }
    if (x === undefined && y === undefined) return chooser(ctx, on, { x, y }, {})
    const wrong = wrongOf({ x, y }, size)
    if (Object.keys(wrong).length > 0) return chooser(ctx, on, { x, y }, wrong)
    return redirect(commentPath(ctx, on, Number(x), Number(y)))
  },
})

/** The picture that a commit has at a path; undefined where there is none. */
async function pictureAt(repository: Repository, commit: string, path: string): Promise<ObjectId | undefined> {
  if (!isObjectId(commit) || pictureType(path) === undefined) return undefined
  const [found] = await resolveCommits(repository, [commit])
  const entry = found ? await entryAt(repository, found, path) : undefined
  return entry?.type === 'blob' ? entry.id : undefined
}

/** The size of a picture in pixels, from the beginning of its file; undefined where that does not say it. */
async function sizeOf(repository: Repository, blob: ObjectId, path: string): Promise<ImageSize | undefined> {
  const most = pictureType(path) === 'image/svg+xml' ? HEADER_OF_TEXT : HEADER
  const { bytes } = await streamBlob(repository, blob)
  const read: Buffer[] = []
  let length = 0
  for await (const chunk of bytes) {
    read.push(chunk)
    length += chunk.length
    if (length >= most) break
  }
  return pixelsOf(Buffer.concat(read).subarray(0, most))
}

/** How many times as large as it is a picture is shown. */
function timesShown({ width, height }: ImageSize): number {
  const fits = Math.min(WIDEST / width, HIGHEST / height)
  return fits < 1 ? fits : Math.max(1, Math.min(MOST_TIMES, Math.floor(SMALL / Math.max(width, height))))
}

/** A picture that a place is chosen on. */
interface Shown {
  readonly asked: Asked
  /** Of its bytes. */
  readonly address: string
  readonly size: ImageSize
}

/** What keeps the file in mind from address to address. */
const kept = ({ path, old_path, base_sha, start_sha, head_sha }: Asked): Readonly<Record<string, string>> => ({
  path,
  ...(old_path !== undefined && { old_path }),
  base_sha,
  start_sha,
  head_sha,
})

/** The form of a comment on the file; on the place, where one is given. */
function commentPath(ctx: Caller, { asked, size }: Pick<Shown, 'asked' | 'size'>, x: number, y: number): string {
  const point = pointText({ side: asked.side, x, y, ...size })
  return mergeRequestPath(ctx, `/diffs/comments/new?${new URLSearchParams({ ...kept(asked), point }).toString()}`)
}

const says = ({ side }: Asked): string => (side === 'old' ? 'before the change' : 'after the change')

const about = (asked: Asked): Html => html`<p>On <span class="mono">${asked.path}</span>, ${says(asked)}.</p>`

/** The page on which the place is chosen. */
function chooser(
  ctx: Caller,
  { asked, address, size }: Shown,
  values: Readonly<Record<'x' | 'y', string | undefined>>,
  wrong: Wrong,
): Promise<ByteAnswer> {
  const times = timesShown(size)
  const [width, height] = [size.width, size.height].map(side => Math.max(1, Math.round(side * times)))
  const action = mergeRequestPath(ctx, '/diffs/comments/place')
  const fields = Object.entries({ ...kept(asked), side: asked.side }).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  const number = (name: 'x' | 'y', label: string, most: number) =>
    field(
      { name, label, hint: `A whole number from 0 to ${most}` },
      { ...numbers[name], minimum: 0, maximum: most },
      { value: values[name], wrong: wrong[name] ?? [] },
    )
  const isWrong = Object.keys(wrong).length > 0
  return framed(
    ctx,
    html`${about(asked)}
<form action="${action}" data-turbo="false" class="choose-place">${fields}<input type="image" name="at" src="${address}" width="${width}" height="${height}" alt="Comment on the place of the picture that is clicked"></form>
<p class="small muted">The picture is ${size.width} pixels wide and ${size.height} high. Click the place that the comment is about, or write where it is.</p>
<form action="${action}" novalidate>${fields}${number('x', 'From the left', size.width)}${number('y', 'From the top', size.height)}<div class="row"><button class="btn btn-primary">Comment on this place</button><a class="btn" href="${mergeRequestPath(ctx, '/diffs')}">Cancel</a></div></form>`,
    isWrong ? 422 : undefined,
  )
}

/** The page of an address that names none. */
const withoutPicture = (ctx: Caller): Promise<ByteAnswer> =>
  framed(ctx, html`<p>Choose a picture in the <a href="${mergeRequestPath(ctx, '/diffs')}">changes</a> first.</p>`)

/** The page of a picture whose size is unknown: only the file can be commented on. */
const withoutSize = (ctx: Caller, asked: Asked, address: string): Promise<ByteAnswer> =>
  framed(
    ctx,
    html`${about(asked)}
<div class="notice attention" role="alert">${icon('alert')}<span>The file does not say how large the picture is, so no place on it can be chosen. A comment can be about the file.</span></div>
<div class="choose-place"><img src="${address}" alt="${asked.path}, ${says(asked)}"></div>
<div class="row"><a class="btn btn-primary" href="${mergeRequestPath(ctx, `/diffs/comments/new?${new URLSearchParams(kept(asked)).toString()}`)}">Comment on the file</a><a class="btn" href="${mergeRequestPath(ctx, '/diffs')}">Cancel</a></div>`,
  )

const framed = (ctx: Caller, body: Html, status?: number): Promise<ByteAnswer> =>
  page(ctx, {
    title: `Comment on a picture of !${ctx.mergeRequest.iid}`,
    place: projectPlace(ctx.actor, ctx.project, 'merge_requests'),
    width: 'wide',
    ...(status !== undefined && { status }),
    body,
  })

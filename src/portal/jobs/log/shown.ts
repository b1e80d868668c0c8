/** What the page of a job shows of its log: the end, or the part that a reader asks for; the rest follows on request. */
import type { JobLog } from '../../../ci/traces/log.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { foundView, partView } from './log_view.ts'
import { linesOfPart, partOfLine, partsOf } from './parts.ts'
import { linesWith } from './search.ts'

/** What the address asks for: a part, the parts from one to the end, or the part with a line. */
export interface WantedLog {
  readonly part?: number | undefined
  readonly from?: number | undefined
  readonly line?: number | undefined
}

/** Parts that the page of a job begins with, and has at most while its log grows. */
const FIRST = 2
const MOST = 4

interface Window {
  readonly first: number
  readonly last: number
}

/** The parts to show. */
async function windowOf(log: JobLog, { part, from, line }: WantedLog): Promise<Window> {
  const last = partsOf(log) - 1
  const one = part ?? (line === undefined ? undefined : await partOfLine(log, line))
  if (one !== undefined) return { first: Math.min(one, last), last: Math.min(one + FIRST - 1, last) }
  return { first: Math.max(0, Math.min(from ?? last - FIRST + 1, last), last - MOST + 1), last }
}

/** The log of a page, with links to what is before and after. `page`: the path of the job's page. */
export async function shownLog(
  log: JobLog,
  wanted: WantedLog,
  page: string,
): Promise<{ readonly view: Html; readonly first: number; readonly isEnd: boolean }> {
  const count = partsOf(log)
  const { first, last } = await windowOf(log, wanted)
  const query = queryOf(page, count)
  const parts: Html[] = []
  for (let part = first; part <= last; part++) parts.push(partView(await linesOfPart(log, part), query))
  const view = html`${first > 0 && earlier(page, first - 1)}${parts}${last < count - 1 && later(page, last + 1)}`
  return { view, first, isEnd: last === count - 1 }
}

/** Links of lines lead to the part that has them, unless the page always has the whole. */
const queryOf = (page: string, count: number) => (count <= FIRST ? () => '' : (line: number) => `${page}?line=${line}`)

/** The lines of a log that have a text, with links to them. */
export async function foundIn(log: JobLog, text: string, page: string): Promise<Html> {
  const sent = encodeURIComponent(text)
  const to = (line: number) => `${page}?search=${sent}${partsOf(log) <= FIRST ? '' : `&line=${line}`}`
  return foundView(await linesWith(log, text), { text, page, to })
}

/** A part in its frame, with a link to the next one in the same direction. */
export async function framedPart(log: JobLog, part: number, frame: string, page: string): Promise<Html> {
  const count = partsOf(log)
  const at = Math.min(part, count - 1)
  const inner = partView(await linesOfPart(log, at), queryOf(page, count))
  const isEarlier = frame === earlierFrame(at)
  return html`<turbo-frame id="${frame}">${isEarlier && at > 0 && earlier(page, at - 1)}${inner}${!isEarlier && at < count - 1 && later(page, at + 1)}</turbo-frame>`
}

export const earlierFrame = (part: number): string => `log-before-${part}`
const laterFrame = (part: number): string => `log-after-${part}`

const earlier = (page: string, part: number): Html =>
  html`<turbo-frame id="${earlierFrame(part)}" class="log-more"><a class="btn btn-sm" href="${page}?part=${part}">Show earlier lines</a><a class="btn btn-sm" href="${page}?part=0" data-turbo-frame="_top">From the beginning</a></turbo-frame>`

const later = (page: string, part: number): Html =>
  html`<turbo-frame id="${laterFrame(part)}" class="log-more"><a class="btn btn-sm" href="${page}?part=${part}">Show later lines</a><a class="btn btn-sm" href="${page}" data-turbo-frame="_top">To the end</a></turbo-frame>`

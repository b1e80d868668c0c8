/** Highlights code in a thread, within bounds of size and time; beyond, the code is shown as it is. */
import { setTimeout as pause } from 'node:timers/promises'
import { ImmutableCache } from '../../../platform/git/index.ts'
import { Refusal } from '../../../platform/kernel/errors.ts'
import { escapeHtml, Html } from '../../../platform/pages/html.ts'
import { KeptThread } from '../../../platform/threads/kept_thread.ts'
import { WorkTooLarge } from '../../../platform/threads/threaded_work.ts'
import { languageOf } from './language.ts'
import type { HighlightTask } from './thread.ts'
import { shownTurns } from './turning.ts'

/** Characters of a text that is highlighted. */
export const MOST_CHARACTERS = 1_048_576

/** Milliseconds that one text may take. */
const TIMEOUT = 2_000

/** A page does not wait long for the texts of others: it shows the code as it is. */
const thread = new KeptThread<HighlightTask, unknown>(new URL('./thread.ts', import.meta.url), { memory: 256, patience: 3_000 })

/** Characters of highlighted lines that are kept; those of long texts are more, and fewer texts. */
const MOST_KEPT = 2_000_000
const MOST_KEPT_LONG = 8_000_000

const lengthOf = (lines: readonly Html[] | undefined): number => (lines ?? []).reduce((sum, { text }) => sum + text.length, 0)

const cache = new ImmutableCache<readonly Html[] | undefined>(100, lines => lengthOf(lines) <= MOST_KEPT)
const cacheOfLong = new ImmutableCache<readonly Html[] | undefined>(12, lines => lengthOf(lines) <= MOST_KEPT_LONG)

/** Characters of a text that is not long: its page waits for all that is found out about it. */
export const LONG = 128 * 1024

/** How long a page waits for highlighted lines, in milliseconds. */
const PATIENCE = 150

/** Does what a page waits for: `end` becomes undefined when it waits no longer. */
export async function inPatience<T>(work: (end: Promise<undefined>) => Promise<T>): Promise<T> {
  const isDone = new AbortController()
  const end = pause(PATIENCE, undefined, { signal: isDone.signal }).catch(() => undefined)
  return work(end).finally(() => isDone.abort())
}

/**
 * The lines of a text as HTML, highlighted where the name of the file says a language and the bounds are kept: the same list for as long as they are. What
 * turns the direction of text is named.
 * @param id that of the blob: what it is keeps its lines
 */
export async function highlightedLines(id: string, path: string, text: string): Promise<readonly Html[]> {
  const language = text.length > MOST_CHARACTERS ? undefined : languageOf(path)
  const lines =
    language === undefined
      ? undefined
      : await (text.length > LONG ? cacheOfLong : cache).get(`${id} ${language}`, () => inHtml(text, language)).catch(plainWhereRefused)
  return lines ?? plainLines(text).map(trusted)
}

/** The same for a page that does not wait: the lines of a long text are plain until the others are known, which the next visit shows. */
export async function linesSoon(id: string, path: string, text: string): Promise<readonly Html[]> {
  const highlighted = highlightedLines(id, path, text)
  if (text.length <= LONG) return highlighted
  const lines = await inPatience(end => Promise.race([highlighted, end]))
  if (lines) return lines
  // Whether it fails is for the next visit.
  highlighted.catch(() => undefined)
  return plainLines(text).map(trusted)
}

const trusted = (line: string): Html => Html.trusted(shownTurns(line))

/** The highlighted lines; undefined where that takes too much. */
async function inHtml(text: string, language: string): Promise<readonly Html[] | undefined> {
  return (await inThread<readonly string[] | undefined>({ text, language }))?.map(trusted)
}

/** Too many wait for the thread: the text is shown as it is, and highlighted another time. */
function plainWhereRefused(error: unknown): undefined {
  if (!(error instanceof Refusal)) throw error
}

/**
 * What the thread finds out about a text; undefined for what takes too much.
 * @param file of the module whose default export is run; the highlighter's unless given
 * @throws Refusal where too many wait for the thread
 */
export async function inThread<Found>(task: HighlightTask, file?: URL): Promise<Found | undefined> {
  try {
    return (await thread.run(task, TIMEOUT, file)) as Found
  } catch (error) {
    if (error instanceof WorkTooLarge) return undefined
    throw error
  }
}

/** The lines of a text, escaped. */
function plainLines(text: string): string[] {
  const lines = escapeHtml(text).split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** Ends the thread. */
export const stopHighlighting = (): void => thread.stop()

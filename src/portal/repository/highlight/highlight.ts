/** Highlights code in a thread, within bounds of size and time; beyond, the code is shown as it is. */
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
const thread = new KeptThread<HighlightTask, unknown>(
  new URL('./thread.ts', import.meta.url),
  256,
  { text: '', language: 'plaintext' },
  { patience: 3_000 },
)

/** Characters of highlighted lines that are kept. */
const MOST_KEPT = 2_000_000

const cache = new ImmutableCache<readonly string[] | undefined>(
  100,
  lines => (lines ?? []).reduce((sum, line) => sum + line.length, 0) <= MOST_KEPT,
)

/**
 * The lines of a text as HTML, highlighted where the name of the file says a language and the bounds are kept. What turns the direction of text is named.
 * @param id that of the blob: what it is keeps its lines
 */
export async function highlightedLines(id: string, path: string, text: string): Promise<readonly Html[]> {
  const language = text.length > MOST_CHARACTERS ? undefined : languageOf(path)
  const lines =
    language === undefined
      ? undefined
      : await cache.get(`${id} ${language}`, () => inThread<readonly string[] | undefined>({ text, language })).catch(plainWhereRefused)
  return (lines ?? plainLines(text)).map(line => Html.trusted(shownTurns(line)))
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
export const stopHighlighting = (): Promise<void> => thread.stop()

/** Highlights code in a thread, within bounds of size and time; beyond, the code is shown as it is. */
import { Piscina } from 'piscina'
import { ImmutableCache } from '../../../platform/git/index.ts'
import { currentHolder } from '../../../platform/kernel/request/holder.ts'
import { threadLimits, WorkSlots } from '../../../platform/kernel/request/work_slots.ts'
import { escapeHtml, Html } from '../../../platform/pages/html.ts'
import { languageOf } from './language.ts'
import type { HighlightTask } from './thread.ts'
import { shownTurns } from './turning.ts'

/** Characters of a text that is highlighted. */
export const MOST_CHARACTERS = 1_048_576

/** Milliseconds that one text may take. */
const TIMEOUT = 2_000

/** A page does not wait long for the texts of others: it shows the code as it is. */
const slots = new WorkSlots({ ...threadLimits, total: 1, patience: 3_000 })
const never = new AbortController().signal

/** Characters of highlighted lines that are kept. */
const MOST_KEPT = 2_000_000

/** One thread, ended when it has nothing to do: highlighting must not take both processors. */
let threads: Piscina<HighlightTask, unknown> | undefined

const pool = () => {
  threads ??= new Piscina({
    filename: new URL('./thread.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: 30_000,
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  })
  return threads
}

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
      : await cache.get(`${id} ${language}`, () => inThread<readonly string[] | undefined>({ text, language })).catch(() => undefined)
  return (lines ?? plainLines(text)).map(line => Html.trusted(shownTurns(line)))
}

/**
 * What a thread finds out about a text; undefined for what takes too long. The time that a thread takes to start does not count: on a busy machine
 * that alone may be more.
 * @param filename of the module whose default export is run; the highlighter's unless given
 */
export async function inThread<Found>(task: HighlightTask, filename?: string): Promise<Found | undefined> {
  const release = await slots.enter(currentHolder(), never)
  try {
    if (pool().threads.length === 0) await pool().run({ text: '', language: 'plaintext' })
    return (await pool().run(task, { signal: AbortSignal.timeout(TIMEOUT), ...(filename === undefined ? {} : { filename }) })) as Found
  } catch (error) {
    if ((error as Error).name === 'AbortError') return undefined
    throw error
  } finally {
    release()
  }
}

/** The lines of a text, escaped. */
function plainLines(text: string): string[] {
  const lines = escapeHtml(text).split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** Ends the thread. */
export async function stopHighlighting(): Promise<void> {
  const ending = threads
  threads = undefined
  await ending?.destroy()
}

/**
 * Reading and rendering texts that people send, whatever they are: short ones at once; long ones, some of which take
 * a parser minutes, in a thread that is given up after a while. Other requests do not wait for either.
 */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { badRequest } from '../../platform/kernel/errors.ts'
import type { Named } from './closing.ts'
import { type LinkReference, parseMarkdown, type ReferenceLink } from './document.ts'
import type { Reference } from './references.ts'

/** What a text says besides its words. */
export interface MarkdownFacts {
  /** The references that are not in code or links, in their order, repeated ones too. */
  readonly references: readonly Reference[]
  /** The addresses of its links. */
  readonly addresses: readonly string[]
  /** The issues that it says it closes, in their order. */
  readonly closes: readonly Named[]
  readonly tasks: { readonly count: number; readonly completed: number }
}

/** What the thread is asked: to read the text or, with where its references lead (by their text), to render it. */
export interface Asked {
  readonly text: string
  readonly links?: ReadonlyMap<string, ReferenceLink>
}

export interface Limits {
  /** Up to which effort a text is read at once: its characters times those of them that may begin or end something (`effortOf`). */
  readonly short: number
  /** Milliseconds that a long text is given. */
  readonly time: number
}
/** The worst texts of this effort take some 20 ms. */
const standard: Limits = { short: 30_000_000, time: 10_000 }

/** Characters above which a text is never read at once. */
const LONG = 32 * 1024

/**
 * How much work a text may be. What takes a parser long are marks for which it looks through the rest of the text, and finds nothing: the
 * time grows with their number and with the length. Texts of words take no such time.
 */
function effortOf(text: string): number {
  if (text.length > LONG) return Number.POSITIVE_INFINITY
  return text.length * (text.match(/[^\p{L}\p{N}\s]/gu)?.length ?? 0)
}

/** Reads a text. @throws a 400 for one that takes too long */
export async function readMarkdown(text: string, limits = standard): Promise<MarkdownFacts> {
  return effortOf(text) <= limits.short ? factsOf(text) : ((await inThread({ text }, limits)) as MarkdownFacts)
}

/**
 * Renders a text as safe HTML.
 * @param linksOf tells, for all references at once, where those lead that the reader may know of, by their text
 * @throws a 400 for one that takes too long
 */
export async function renderMarkdown(
  text: string,
  linksOf: (references: readonly Reference[]) => Promise<ReadonlyMap<string, ReferenceLink>>,
  limits = standard,
): Promise<string> {
  const { references } = await readMarkdown(text, limits)
  const links = references.length === 0 ? new Map<string, ReferenceLink>() : await linksOf(references)
  return effortOf(text) <= limits.short ? htmlOf(text, links) : ((await inThread({ text, links }, limits)) as string)
}

/** Does what is asked, in the thread that calls. */
export const answer = ({ text, links }: Asked): MarkdownFacts | string => (links ? htmlOf(text, links) : factsOf(text))

function factsOf(text: string): MarkdownFacts {
  const { html: _html, ...facts } = parseMarkdown(text)
  return facts
}

function htmlOf(text: string, links: ReadonlyMap<string, ReferenceLink>): string {
  const link: LinkReference = reference => links.get(reference.text)
  return parseMarkdown(text).html(link)
}

/** One long text at a time: there are as few of them as there are processors to read them. */
let last: Promise<unknown> = Promise.resolve()

function inThread(asked: Asked, { time }: Limits): Promise<MarkdownFacts | string> {
  const turn = last.then(async () => {
    const worker = new Worker(new URL('./thread.ts', import.meta.url), {
      workerData: asked,
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    })
    try {
      const [found] = await once(worker, 'message', { signal: AbortSignal.timeout(time) })
      return found
    } catch (error) {
      const tooMuch = (error as Error).name === 'AbortError' || (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
      throw tooMuch ? badRequest('The text is too complex to be read as Markdown') : error
    } finally {
      await worker.terminate()
    }
  })
  last = turn.catch(() => undefined)
  return turn
}

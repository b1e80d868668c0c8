/**
 * Reads and renders user texts in bounded time. Short texts are parsed immediately. Long ones, some of which keep a parser busy for
 * minutes, are parsed in a worker thread with a timeout, for each caller one at a time. Other requests wait for neither.
 */
import { badRequest } from '../../platform/kernel/errors.ts'
import { ThreadedWork, WorkTooLarge } from '../../platform/threads/threaded_work.ts'
import type { Named } from './closing.ts'
import { type LinkReference, parseMarkdown, type ReferenceLink } from './document.ts'
import type { Reference } from './references.ts'
import { TextCache } from './text_cache.ts'

/** Facts derived from a text. */
export interface MarkdownFacts {
  /** References outside of code and links, in order, with duplicates. */
  readonly references: readonly Reference[]
  /** URLs of its links. */
  readonly addresses: readonly string[]
  /** The issues that it closes, in order. */
  readonly closes: readonly Named[]
  readonly tasks: { readonly count: number; readonly completed: number }
}

/** Input of the worker thread: read the text or, with the links of its references by text, render it; as AsciiDoc where it is that. */
export interface Asked {
  readonly text: string
  readonly isAsciidoc?: true
  readonly links?: ReadonlyMap<string, ReferenceLink>
}

export interface Limits {
  /** Maximum effort for parsing on the main thread: characters times those of them that may open or close markup (`effortOf`). */
  readonly short: number
  /** Timeout for a long text, in milliseconds. */
  readonly time: number
}
/** The worst texts of this effort take some 20 ms. */
const standard: Limits = { short: 30_000_000, time: 5_000 }

/** Texts above this number of characters are never parsed on the main thread. */
const LONG = 32 * 1024

/**
 * Estimates the parsing effort. The slow case is markup that the parser tries to close by searching the rest of the text in vain: the
 * time grows with the number of such marks and with the length. Plain prose has few.
 */
function effortOf(text: string): number {
  if (text.length > LONG) return Number.POSITIVE_INFINITY
  return text.length * (text.match(/[^\p{L}\p{N}\s]/gu)?.length ?? 0)
}

/** Characters of facts and of HTML that are kept. */
const KEPT_FACTS = 4 * 1024 * 1024
const KEPT_HTML = 32 * 1024 * 1024
/** Characters that a fact counts as. */
const FACT = 200

const facts = new TextCache<MarkdownFacts>(
  KEPT_FACTS,
  ({ references, addresses, closes }) =>
    FACT * (1 + references.length + closes.length) + addresses.reduce((sum, address) => sum + address.length, 0),
)
const rendered = new TextCache<string>(KEPT_HTML, html => html.length)

/** Reads a text. @throws a 400 for one that takes too long */
export const readMarkdown = (text: string, limits = standard): Promise<MarkdownFacts> =>
  facts.get([text], async () => (effortOf(text) <= limits.short ? factsOf(text) : ((await inThread({ text }, limits)) as MarkdownFacts)))

/**
 * Renders a text as safe HTML.
 * @param linksOf resolves all references together to links that the reader may see, by reference text
 * @throws a 400 for one that takes too long
 */
export async function renderMarkdown(
  text: string,
  linksOf: (references: readonly Reference[]) => Promise<ReadonlyMap<string, ReferenceLink>>,
  limits = standard,
): Promise<string> {
  const { references } = await readMarkdown(text, limits)
  const known = references.length === 0 ? new Map<string, ReferenceLink>() : await linksOf(references)
  const links = new Map(
    references.flatMap(({ text }) => {
      const link = known.get(text)
      return link ? [[text, link] as const] : []
    }),
  )
  // The links are what the reader may see now: they are looked up each time, and the HTML is kept for them.
  return rendered.get([text, JSON.stringify([...links])], async () =>
    effortOf(text) <= limits.short ? htmlOf(text, links) : ((await inThread({ text, links }, limits)) as string),
  )
}

/**
 * Renders AsciiDoc as safe HTML, always in a thread.
 * @throws a 400 for one that takes too long
 */
export const renderAsciidoc = (text: string, limits = standard): Promise<string> =>
  rendered.get(['asciidoc', text], async () => (await inThread({ text, isAsciidoc: true }, limits)) as string)

/** References of a text, and characters of its HTML, that are handed on: more of them keep the main thread busy. */
const MOST_REFERENCES = 20_000
const MOST_HTML = 4 * 1024 * 1024

/** Parses on the calling thread; undefined where too much comes of it. */
export function answer({ text, links }: Asked): MarkdownFacts | string | undefined {
  if (links) {
    return bounded(htmlOf(text, links))
  }
  const facts = factsOf(text)
  return facts.references.length + facts.addresses.length > MOST_REFERENCES ? undefined : facts
}

/** HTML that is handed on; undefined for too much. */
export const bounded = (html: string): string | undefined => (html.length > MOST_HTML ? undefined : html)

function factsOf(text: string): MarkdownFacts {
  const { html: _html, ...facts } = parseMarkdown(text)
  return facts
}

function htmlOf(text: string, links: ReadonlyMap<string, ReferenceLink>): string {
  const link: LinkReference = reference => links.get(reference.text)
  return parseMarkdown(text).html(link)
}

const tooComplex = () => badRequest('The text is too complex to be read as Markdown')

const threads = new ThreadedWork<Asked, MarkdownFacts | string | undefined>(new URL('./thread.ts', import.meta.url), 512)

async function inThread(asked: Asked, { time }: Limits): Promise<MarkdownFacts | string> {
  let found: MarkdownFacts | string | undefined
  try {
    found = await threads.run(asked, time)
  } catch (error) {
    throw error instanceof WorkTooLarge ? tooComplex() : error
  }
  if (found === undefined) throw tooComplex()
  return found
}

/** Links between the pages of a wiki, in the HTML that was made of one. Pure. */
import { runInSlices } from '../../platform/kernel/answer/time_slicing.ts'
import { pageNameOf, slugOf } from './names.ts'

/** Where a page stands. */
export interface LinkBase {
  /** Address of the wiki's pages, without a trailing slash. */
  readonly base: string
  /** Of the page that links. */
  readonly slug: string
}

/** The address of a page or file of a wiki. */
export const wikiPath = (base: string, path: string): string => `${base}/${path.split('/').map(encodeURIComponent).join('/')}`

const tag = /<(\/?)([a-z][a-z0-9-]*)((?:\s[^<>]*)?)>/g

/** Elements in whose text no page is named. */
const verbatim: ReadonlySet<string> = new Set(['a', 'pre', 'code', 'kbd', 'samp'])

/** What stands for a link to a page, in the text of HTML. */
const brackets = /\[\[([^[\]|]{1,500})(?:\|([^[\]|]{1,500}))?\]\]/g

const addresses = /(\s(?:href|src)=")([^"]*)"/g

/**
 * Sanitised HTML with the links of a wiki: relative addresses lead to its pages and files, and `[[Other page]]` and `[[text|Other page]]` to pages. In
 * slices: a page may have tens of thousands of links.
 */
export const withWikiLinks = (html: string, at: LinkBase): Promise<string> => runInSlices(linked(html, at))

function* linked(html: string, at: LinkBase): Generator<void, string, void> {
  const written: string[] = []
  let end = 0
  let depth = 0
  for (const { 0: whole, 1: closing, 2: name = '', 3: attributes = '', index } of html.matchAll(tag)) {
    yield* addText(html.slice(end, index))
    end = index + whole.length
    if (verbatim.has(name)) depth = Math.max(0, depth + (closing ? -1 : 1))
    written.push(
      closing || !(name === 'a' || name === 'img')
        ? whole
        : `<${name}${attributes.replace(addresses, (_all: string, start: string, address: string) => `${start}${resolved(address, at)}"`)}>`,
    )
    yield
  }
  yield* addText(html.slice(end))
  return written.join('')

  function* addText(text: string): Generator<void, void, void> {
    let from = 0
    for (const { 0: whole, 1: first = '', 2: second, index } of depth > 0 ? [] : text.matchAll(brackets)) {
      written.push(text.slice(from, index), bracketed(first, second, at))
      from = index + whole.length
      yield
    }
    written.push(text.slice(from))
  }
}

/** `text` and `page` are HTML already. */
function bracketed(first: string, second: string | undefined, { base }: LinkBase): string {
  const page = slugOf(unescaped(second ?? first))
  return page === '' ? `[[${first}]]` : `<a href="${escaped(wikiPath(base, page))}">${first}</a>`
}

/** The address of a link, as HTML: of a page or file of the wiki where it is relative. */
function resolved(address: string, { base, slug }: LinkBase): string {
  const given = unescaped(address)
  if (given === '' || /^(?:[a-z][a-z0-9+.-]*:|\/\/|#|\?)/i.test(given)) return address
  const [, path = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(given) ?? []
  const parts = /^\.{1,2}(?:\/|$)/.test(path) ? slug.split('/').slice(0, -1) : []
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(decoded(part))
  }
  const target = parts.join('/')
  return escaped(wikiPath(base, pageNameOf(target)?.slug ?? target) + rest)
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }
const unescaped = (html: string): string => html.replace(/&(?:amp|lt|gt|quot|#39);/g, entity => entities[entity] as string)
const escaped = (text: string): string => text.replace(/[&<>"]/g, char => `&${{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' }[char]};`)

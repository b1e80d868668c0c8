/**
 * CI files as most are written, read line by line: maps and lists by indentation, lists and maps in brackets on one line, text that is
 * plain, quoted or literal (`|`). Whatever is written otherwise (anchors, tags, text over several lines, and all that is doubtful) is for
 * the parser of YAML proper, which takes ten times as long: it describes every character, and this keeps what it means.
 */
import { limits } from '../limits.ts'
import type { YamlMap, YamlValue } from './values.ts'

/** What a plain text that may be more than text is: a number, a truth value, nothing. */
export type Resolve = (text: string) => YamlValue

/** The contents of a file; undefined for one that is not written in the plain way, which may be wrong or not. */
export function readPlainly(text: string, resolve: Resolve): YamlMap | undefined {
  if (ODD_CHARACTER.test(text)) return undefined
  try {
    return new Reader(text, resolve).file()
  } catch (error) {
    if (error instanceof Unusual) return undefined
    throw error
  }
}

/** The file is written in another way. */
class Unusual extends Error {}

const unusual = (): never => {
  throw new Unusual()
}

/** Tabs and breaks of other kinds, and what no text should have. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const ODD_CHARACTER = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/

/** Text that is a key wherever it stands before a colon. */
const KEY = /^[A-Za-z_.$][\w.$/:@+ -]*$/

/** The longest key: longer ones are no keys in YAML. */
const LONGEST_KEY = 255

/** Text that means nothing but itself: it begins like a word. */
const WORD = /^[A-Za-z_$/(]/
const MEANING = /^(?:y|n|yes|no|on|off|true|false|null)$/i

/** What plain text cannot begin with, or not without more thought. */
const INDICATOR = /^[-?:,[\]{}#&*!|>'"%@`=<~]/
const NUMERAL_BELOW_ZERO = /^-[\d.]/

/** Plain text within brackets. */
const IN_BRACKETS = /[\w$./()+@^][\w$./()+@^=*-]*(?: +[\w$./()+@^=*-]+)*/y

class Reader {
  readonly #lines: readonly string[]
  readonly #resolve: Resolve
  readonly #known = new Map<string, YamlValue>()
  /** The line that is read next, how far it is indented, and what stands there; no content: the end. */
  #at = -1
  #indent = 0
  #content = ''
  #depth = 0

  constructor(text: string, resolve: Resolve) {
    this.#lines = text.split('\n')
    this.#resolve = resolve
  }

  file(): YamlMap {
    this.#next()
    if (this.#content === '' || this.#indent > 0) return unusual()
    const map = this.#map(0)
    return this.#content === '' ? map : unusual()
  }

  /** Goes to the next line that has something to say. */
  #next(): void {
    for (this.#at++; this.#at < this.#lines.length; this.#at++) {
      const line = this.#lines[this.#at]!
      const indent = indentOf(line)
      if (indent === line.length || line[indent] === '#') continue
      if (indent === 0 && /^(?:---|\.\.\.|%)/.test(line)) unusual()
      this.#indent = indent
      this.#content = line.slice(indent).trimEnd()
      return
    }
    this.#indent = -1
    this.#content = ''
  }

  #map(indent: number): YamlMap {
    if (++this.#depth > limits.depth) unusual()
    const map = new Map<string, YamlValue>()
    while (this.#indent === indent) {
      const colon = colonIn(this.#content)
      const key = this.#content.slice(0, colon)
      if (colon < 0 || key.length > LONGEST_KEY || !KEY.test(key)) return unusual()
      map.set(String(this.#plain(key.trimEnd())), this.#value(this.#content.slice(colon + 1).trimStart(), indent, 'map'))
    }
    if (this.#indent > indent) unusual()
    this.#depth--
    return map
  }

  #list(indent: number): YamlValue[] {
    if (++this.#depth > limits.depth) unusual()
    const list: YamlValue[] = []
    while (this.#indent === indent && isItem(this.#content)) {
      const text = this.#content.slice(1).trimStart()
      const colon = text === '' || INDICATOR.test(text) ? -1 : colonIn(text)
      if (colon < 0) list.push(this.#value(text, indent, 'list'))
      else {
        // A map that begins beside the dash.
        this.#indent += this.#content.length - text.length
        this.#content = text
        list.push(this.#map(this.#indent))
      }
    }
    if (this.#indent > indent) unusual()
    this.#depth--
    return list
  }

  /** What stands behind a key or a dash, and on the lines that belong to it. */
  #value(text: string, indent: number, inside: 'map' | 'list'): YamlValue {
    if (text === '' || text.startsWith('#')) {
      this.#next()
      if (this.#indent > indent) return isItem(this.#content) ? this.#list(this.#indent) : this.#map(this.#indent)
      return inside === 'map' && this.#indent === indent && isItem(this.#content) ? this.#list(indent) : null
    }
    if (text.startsWith('|')) return this.#literal(text, indent)
    const value = this.#onOneLine(text)
    this.#next()
    return value
  }

  #onOneLine(text: string): YamlValue {
    if (text.startsWith('[') || text.startsWith('{')) return this.#bracketed(text)
    if (text.startsWith("'") || text.startsWith('"')) {
      const { value, end } = quoted(text, 0)
      return isComment(text.slice(end)) ? value : unusual()
    }
    if (INDICATOR.test(text) && !NUMERAL_BELOW_ZERO.test(text)) return unusual()
    const comment = text.indexOf(' #')
    const plain = comment < 0 ? text : text.slice(0, comment).trimEnd()
    return colonIn(plain) < 0 ? this.#plain(plain) : unusual()
  }

  #plain(text: string): YamlValue {
    if (WORD.test(text) && !MEANING.test(text)) return text
    if (text.startsWith('...')) return unusual()
    const before = this.#known.get(text)
    if (before !== undefined) return before
    const value = this.#resolve(text)
    this.#known.set(text, value)
    return value
  }

  /** `|`: lines as they are, without what all of them are indented by. */
  #literal(header: string, indent: number): string {
    const [, sign] = /^\|([+-]?)(?: +#.*)?$/.exec(header) ?? unusual()
    if (sign === '+') unusual()
    const lines: string[] = []
    let margin = 0
    let at = this.#at + 1
    for (; at < this.#lines.length; at++) {
      const line = this.#lines[at]!
      const own = indentOf(line)
      const isBlank = own === line.length
      if (margin === 0 && isBlank) {
        // How far the text is indented is not known yet.
        if (own > 0) unusual()
        lines.push('')
        continue
      }
      if (margin === 0) {
        if (own <= indent) return unusual()
        margin = own
      }
      if (isBlank) lines.push(line.slice(margin))
      else if (own >= margin) lines.push(line.slice(margin))
      else if (own > indent) return unusual()
      else break
    }
    // The last line may not be ended, which the text would show.
    if (margin === 0 || (at === this.#lines.length && this.#lines.at(-1) !== '')) return unusual()
    while (lines.at(-1) === '') lines.pop()
    if (/^ *$/.test(lines.at(-1) ?? '')) return unusual()
    this.#at = at - 1
    this.#next()
    return lines.join('\n') + (sign === '-' ? '' : '\n')
  }

  /** A list or a map in brackets that ends on its line. */
  #bracketed(text: string): YamlValue {
    let at = 0
    const skip = () => {
      while (text[at] === ' ') at++
    }
    const one = (): YamlValue => {
      const first = text[at]
      if (first === '[') return items()
      if (first === '{') return pairs()
      if (first === "'" || first === '"') {
        const { value, end } = quoted(text, at)
        at = end
        return value
      }
      return this.#plain(plainHere())
    }
    const plainHere = (): string => {
      IN_BRACKETS.lastIndex = at
      const [found] = IN_BRACKETS.exec(text) ?? unusual()
      at += found.length
      return found
    }
    /** Reads what stands between brackets, by one reader for each part. */
    const between = (end: string, part: () => void): void => {
      if (++this.#depth > limits.depth) unusual()
      at++
      skip()
      while (text[at] !== end) {
        part()
        skip()
        if (text[at] === ',') at++
        else if (text[at] !== end) unusual()
        skip()
        if (text[at] === end && text[at - 1] === ',') unusual()
      }
      at++
      this.#depth--
    }
    const items = (): YamlValue[] => {
      const list: YamlValue[] = []
      between(']', () => list.push(one()))
      return list
    }
    const pairs = (): YamlMap => {
      const map = new Map<string, YamlValue>()
      between('}', () => {
        const key = plainHere()
        if (!KEY.test(key) || text[at] !== ':' || text[at + 1] !== ' ') unusual()
        at++
        skip()
        map.set(String(this.#plain(key)), one())
      })
      return map
    }
    const value = one()
    return isComment(text.slice(at)) ? value : unusual()
  }
}

function indentOf(line: string): number {
  let indent = 0
  while (line[indent] === ' ') indent++
  return indent
}

const isItem = (content: string): boolean => content === '-' || content.startsWith('- ')

/** Nothing, or a comment. */
const isComment = (rest: string): boolean => /^ *$|^ +#/.test(rest)

/** Where the colon stands that ends a key; -1 for none. A comment has none. */
const colonIn = (content: string): number => content.search(/:(?= |$)/)

/** A quoted text that ends on its line, and where it ends. Of what a backslash may mean only the usual is read. */
function quoted(text: string, start: number): { readonly value: string; readonly end: number } {
  const mark = text[start]
  let value = ''
  for (let at = start + 1; at < text.length; at++) {
    const character = text[at]!
    if (character === mark) {
      if (mark !== "'" || text[at + 1] !== "'") return { value, end: at + 1 }
      value += "'"
      at++
    } else if (character === '\\' && mark === '"') {
      const meant = ESCAPED[text[++at] ?? '']
      if (meant === undefined) return unusual()
      value += meant
    } else value += character
  }
  return unusual()
}

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t', '"': '"', '\\': '\\', '/': '/' }

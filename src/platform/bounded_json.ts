/**
 * Reads JSON that clients write. The parser of the language takes a second for each megabyte of lists within lists, and an object of very many keys
 * is a slow table: what would hold up everybody else is found by a look at the text, before it is parsed.
 */

/** What a text may have at most; each list and object counts as a value. */
export interface JsonBounds {
  /** Lists and objects within each other, the outermost among them. */
  readonly depth: number
  readonly values: number
  /** Keys of one object. */
  readonly keys: number
}

/** Ten milliseconds at worst. */
export const standardJsonBounds: JsonBounds = { depth: 64, values: 100_000, keys: 2_000 }

/** A text has more of something than its reader allows. */
export class JsonTooComplex extends Error {
  override name = 'JsonTooComplex'
  readonly what: keyof JsonBounds
  constructor(what: keyof JsonBounds) {
    super(`the JSON has too many ${what === 'depth' ? 'levels' : what}`)
    this.what = what
  }
}

const [QUOTE, ESCAPE, COMMA] = [0x22, 0x5c, 0x2c]
const [OPEN_LIST, CLOSE_LIST, OPEN_MAP, CLOSE_MAP] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * The value of a text of JSON.
 * @throws JsonTooComplex
 * @throws SyntaxError
 */
export function parseJson(text: string, bounds = standardJsonBounds): unknown {
  assertBounded(text, bounds)
  return JSON.parse(text)
}

/** The index of the quote that ends the string which begins at `from`; the length of a text that does not end it. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let before = at - 1
    while (text.charCodeAt(before) === ESCAPE) before--
    if ((at - before) % 2 === 1) return at
  }
  return text.length
}

/** One pass over the text, which need not be valid. */
function assertBounded(text: string, { depth: deepest, values: most, keys: widest }: JsonBounds): void {
  /** Of each open list or object: the keys that it has so far; -1 for a list. */
  const keys: number[] = []
  let values = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === OPEN_LIST || code === OPEN_MAP) {
      if (keys.push(code === OPEN_MAP ? 1 : -1) > deepest) throw new JsonTooComplex('depth')
      if (++values > most) throw new JsonTooComplex('values')
    } else if (code === CLOSE_LIST || code === CLOSE_MAP) keys.pop()
    else if (code === COMMA) {
      if (++values > most) throw new JsonTooComplex('values')
      const last = keys.length - 1
      const known = keys[last] ?? -1
      if (known > 0) keys[last] = known + 1
      if (known >= widest) throw new JsonTooComplex('keys')
    }
  }
}

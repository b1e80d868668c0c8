/**
 * Where a position stands in a YAML file, by indentation alone: a file that is being written is rarely one that a parser takes. Pure, and without a
 * browser, so that tests can ask it.
 */

/** The keys around a position, and what is written there. */
export interface YamlPlace {
  /** The keys that lead to it, from the outermost; items of lists are not counted. */
  readonly path: readonly string[]
  /** A key is written there, or may be; or the value of the last key of the path. */
  readonly kind: 'key' | 'value'
  /** What has been written of it before the position. */
  readonly written: string
  /** Spaces before it. */
  readonly column: number
  /** The keys beside it that are there already. */
  readonly siblings: readonly string[]
  /** It stands behind the dash of a list. */
  readonly isItem: boolean
}

/** A line, taken apart. */
interface Line {
  /** Where its text begins, behind the dashes of lists. */
  readonly column: number
  /** Where its first dash stands. */
  readonly dash: number | undefined
  readonly key: string | undefined
  /** What stands behind the key. */
  readonly value: string
}

const shape = /^( *)((?:- +)*)(?:(?:"([^"]*)"|'([^']*)'|([^\s#'"[{][^#]*?)) *:(?=\s|$)\s*(.*))?/

/** A line; undefined for an empty one and a comment. */
function lineOf(text: string): Line | undefined {
  if (/^\s*(#|$)/.test(text)) return undefined
  const [, spaces = '', dashes = '', double, single, bare, value = ''] = shape.exec(text) ?? []
  return {
    column: spaces.length + dashes.length,
    dash: dashes === '' ? undefined : spaces.length,
    key: double ?? single ?? bare,
    value,
  }
}

/** Where `position` stands in `text`. */
export function yamlPlace(text: string, position: number): YamlPlace {
  const begin = text.lastIndexOf('\n', position - 1) + 1
  const before = text.slice(begin, position)
  const [, spaces = '', dashes = ''] = /^( *)((?:-(?: +|$))*)/.exec(before) ?? []
  const above = text.slice(0, begin).split('\n').slice(0, -1)
  const below = text.slice(position).split('\n').slice(1)
  const column = spaces.length + dashes.length
  const dash = dashes === '' ? undefined : spaces.length
  const written = before.slice(column)
  const around = keysAround(above, column, dash)
  const keyed = lineOf(before)
  const common = { column, isItem: dash !== undefined }
  if (keyed?.key !== undefined) return { ...common, path: [...around.path, keyed.key], kind: 'value', written: keyed.value, siblings: [] }
  const siblings = [...around.siblings, ...siblingsBelow(below, column)]
  return { ...common, path: around.path, kind: 'key', written, siblings }
}

/** The keys that stand around a line, from those above it. `dash`: where its own first dash stands. */
function keysAround(above: readonly string[], column: number, dash: number | undefined) {
  const path: string[] = []
  const siblings: string[] = []
  // What is looked for next: a key to the left of `limit`, or at it where a list may stand as far left as its key.
  let limit = dash ?? column
  let mayBeAt = dash !== undefined
  let isBeside = dash === undefined
  for (let at = above.length - 1; at >= 0 && (limit > 0 || mayBeAt || path.length === 0); at--) {
    const line = lineOf(above[at] ?? '')
    if (!line) continue
    if (isBeside && line.column === column && path.length === 0) {
      if (line.key !== undefined) siblings.push(line.key)
      if (line.dash === undefined) continue
      // The first line of the item that the position is in.
      isBeside = false
      limit = line.dash
      mayBeAt = true
      continue
    }
    const isAround = line.key !== undefined && (line.column < limit || (mayBeAt && line.column === limit && line.dash === undefined))
    if (!isAround) continue
    isBeside = false
    path.unshift(line.key as string)
    limit = line.dash ?? line.column
    mayBeAt = line.dash !== undefined
    if (limit === 0 && !mayBeAt) break
  }
  return { path, siblings }
}

/** The keys of the same map that come after a line. */
function siblingsBelow(below: readonly string[], column: number): string[] {
  const siblings: string[] = []
  for (const text of below) {
    const line = lineOf(text)
    if (!line || line.column > column) continue
    if (line.column < column || line.dash !== undefined) break
    if (line.key !== undefined) siblings.push(line.key)
  }
  return siblings
}

/** The keys at the top level of a text, with the lines that they stand on. */
export function topLevelKeys(text: string): readonly { readonly name: string; readonly line: number }[] {
  return text.split('\n').flatMap((line, at) => {
    const found = /^\S/.test(line) ? lineOf(line) : undefined
    return found?.key === undefined || found.dash !== undefined ? [] : [{ name: found.key, line: at + 1 }]
  })
}

/** The items of the list that a key at the top level has: on its line in brackets, or on lines with dashes. */
export function topLevelList(text: string, key: string): readonly string[] {
  const lines = text.split('\n')
  const at = topLevelKeys(text).find(({ name }) => name === key)?.line
  if (at === undefined) return []
  const inline = /\[(.*)\]/.exec(lines[at - 1] ?? '')?.[1]
  if (inline !== undefined)
    return inline
      .split(',')
      .map(unquoted)
      .filter(item => item !== '')
  const items: string[] = []
  for (const line of lines.slice(at)) {
    if (/^\s*(#|$)/.test(line)) continue
    const item = /^ *- +(.*)$/.exec(line)?.[1]
    if (item === undefined) break
    items.push(unquoted(item))
  }
  return items
}

const unquoted = (text: string): string => text.trim().replace(/^(["'])(.*)\1$/, '$2')

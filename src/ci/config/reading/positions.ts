/** The lines of a CI file that its keys stand on, for messages about them. Pure. */
import { EVENT_ID, getScalarValue, parseEvents, YAMLException } from 'js-yaml'
import { limits } from '../limits.ts'

/** A value with the line that it begins on, and what is below it by key or index. */
interface Node {
  line: number
  readonly kind: 'map' | 'list' | 'leaf'
  readonly below: Map<string, Node>
}

/** The line, from 1, of what these keys lead to, or of the part of them that the text has; undefined where it has none. */
export type LineFinder = (keys: readonly string[]) => number | undefined

/** Texts beyond `limits.withLines`, and those that are no YAML, have no lines. */
export function lineFinder(text: string): LineFinder {
  const root = text.length <= limits.withLines ? treeOf(text) : undefined
  return keys => {
    let node = root
    let line: number | undefined
    for (const key of keys) {
      node = node?.below.get(key)
      if (!node) break
      line = node.line
    }
    return line
  }
}

/** The first document of a text. */
function treeOf(text: string): Node | undefined {
  const events = eventsOf(text)
  const lineAt = lineCounter(text)
  let root: Node | undefined
  const open: { node: Node; key?: { readonly name: string; readonly line: number } | undefined }[] = []

  const add = (node: Node): void => {
    const around = open.at(-1)
    if (!around) root ??= node
    else if (around.node.kind === 'list') around.node.below.set(`[${around.node.below.size}]`, node)
    else if (around.key) {
      // A message about a key belongs to the line of the key, not to that of its value.
      node.line = around.key.line
      around.node.below.set(around.key.name, node)
      around.key = undefined
    }
  }
  const isKey = (): boolean => open.at(-1)?.node.kind === 'map' && open.at(-1)?.key === undefined
  const setKey = (name: string, line: number): void => {
    const around = open.at(-1)
    if (around) around.key = { name, line }
  }

  for (const event of events) {
    if (event.type === EVENT_ID.DOCUMENT && root) break
    if (event.type === EVENT_ID.SCALAR) {
      const line = lineAt(Math.max(event.valueStart, event.anchorStart, event.tagStart, 0))
      if (isKey()) setKey(getScalarValue(text, event), line)
      else add({ line, kind: 'leaf', below: new Map() })
    } else if (event.type === EVENT_ID.ALIAS) {
      if (isKey()) setKey('', lineAt(event.anchorStart))
      else add({ line: lineAt(event.anchorStart), kind: 'leaf', below: new Map() })
    } else if (event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE) {
      const node: Node = { line: lineAt(event.start), kind: event.type === EVENT_ID.MAPPING ? 'map' : 'list', below: new Map() }
      // A map or list as a key is refused by the reader.
      if (isKey()) setKey('', node.line)
      add(node)
      open.push({ node })
    } else if (event.type === EVENT_ID.POP) open.pop()
  }
  return root
}

function eventsOf(text: string): ReturnType<typeof parseEvents> {
  try {
    return parseEvents(text, { maxDepth: limits.depth + 1 })
  } catch (error) {
    if (error instanceof YAMLException) return []
    throw error
  }
}

/** The line of an offset. Offsets come in their order, so that the text is walked once. */
function lineCounter(text: string): (offset: number) => number {
  let at = 0
  let line = 1
  return offset => {
    if (offset < at) {
      at = 0
      line = 1
    }
    for (let next = text.indexOf('\n', at); next >= 0 && next < offset; next = text.indexOf('\n', at)) {
      at = next + 1
      line++
    }
    return line
  }
}

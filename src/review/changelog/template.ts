/**
 * Templates of changelog sections, in the language that the public documentation describes: `{% if x %}`, `{% else %}`, `{% each x %}`,
 * `{% end %}`, and `{{ a.b.0 }}` for values. A tag in `{% %}` takes the newline after it along, and so does a backslash at the end of a line.
 */

/** What a template can name: texts, numbers, flags, lists and objects of these. */
export type Value = string | number | boolean | undefined | readonly Value[] | { readonly [key: string]: Value }

/** A template that cannot be read, or that would not end. */
export class TemplateError extends Error {
  override name = 'TemplateError'
}

type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly path: readonly string[] }
  | { readonly kind: 'if'; readonly path: readonly string[]; readonly yes: readonly Node[]; readonly no: readonly Node[] }
  | { readonly kind: 'each'; readonly path: readonly string[]; readonly body: readonly Node[] }

type Token =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value' | 'if' | 'each'; readonly path: readonly string[] }
  | { readonly kind: 'else' | 'end' }

/** Characters of a template, how deep its statements lie in each other, the parts that one run may write, and characters of its result. */
const MOST = { template: 100_000, depth: 20, steps: 500_000, result: 5_000_000 }

/** No part of it crosses the `{` of another tag, so that each character is looked at one time: templates are written by anyone who pushes. */
const TAG = /\\\r?\n|\{%([^{}]*?)%\}(?:\r?\n)?|\{\{([^{}]*)\}\}/g

const pathOf = (name: string): readonly string[] => {
  if (!/^[\w-]+(\.[\w-]+)*$/.test(name)) throw new TemplateError(`"${name}" is not the name of a value`)
  return name.split('.')
}

function* tokensOf(template: string): Generator<Token> {
  let end = 0
  for (const match of template.matchAll(TAG)) {
    if (match.index > end) yield { kind: 'text', text: template.slice(end, match.index) }
    end = match.index + match[0].length
    const [, statement, value] = match
    if (value !== undefined) yield { kind: 'value', path: pathOf(value.trim()) }
    else if (statement !== undefined) yield statementOf(statement.trim())
  }
  if (end < template.length) yield { kind: 'text', text: template.slice(end) }
}

function statementOf(statement: string): Token {
  const [word = '', argument, ...rest] = statement.split(/\s+/)
  if ((word === 'if' || word === 'each') && argument !== undefined && rest.length === 0) return { kind: word, path: pathOf(argument) }
  if ((word === 'else' || word === 'end') && argument === undefined) return { kind: word }
  throw new TemplateError(`"${statement}" is not a statement`)
}

/** A template that was read. */
export class Template {
  readonly #nodes: readonly Node[]

  /** @throws TemplateError */
  constructor(template: string) {
    if (template.length > MOST.template) throw new TemplateError('the template is too long')
    const tokens = tokensOf(template)
    this.#nodes = nodesUntil(tokens, [], 0).nodes
  }

  /** The text for these values. @throws TemplateError where it does not come to an end */
  render(values: Value): string {
    const parts: string[] = []
    let [steps, length] = [0, 0]
    const add = (text: string) => {
      length += text.length
      if (length > MOST.result) throw new TemplateError('the changelog is too long')
      parts.push(text)
    }
    const run = (nodes: readonly Node[], at: Value): void => {
      for (const node of nodes) {
        steps += 1
        if (steps > MOST.steps) throw new TemplateError('the template takes too long')
        if (node.kind === 'text') add(node.text)
        else if (node.kind === 'value') add(textOf(valueAt(at, node.path)))
        else if (node.kind === 'if') run(isTrue(valueAt(at, node.path)) ? node.yes : node.no, at)
        else for (const each of itemsOf(valueAt(at, node.path))) run(node.body, each)
      }
    }
    run(this.#nodes, values)
    return parts.join('')
  }
}

/** The nodes up to one of these words; up to the end of the template where there is none. */
function nodesUntil(
  tokens: Generator<Token>,
  words: readonly ('else' | 'end')[],
  depth: number,
): { readonly nodes: readonly Node[]; readonly word: 'else' | 'end' | undefined } {
  if (depth > MOST.depth) throw new TemplateError('statements lie too deep in each other')
  const nodes: Node[] = []
  for (let next = tokens.next(); !next.done; next = tokens.next()) {
    const token = next.value
    if (token.kind === 'text') nodes.push(token)
    else if (token.kind === 'value') nodes.push({ kind: 'value', path: token.path })
    else if (token.kind === 'each') nodes.push({ kind: 'each', path: token.path, body: nodesUntil(tokens, ['end'], depth + 1).nodes })
    else if (token.kind === 'if') {
      const yes = nodesUntil(tokens, ['else', 'end'], depth + 1)
      const no = yes.word === 'else' ? nodesUntil(tokens, ['end'], depth + 1).nodes : []
      nodes.push({ kind: 'if', path: token.path, yes: yes.nodes, no })
    } else if (words.includes(token.kind)) return { nodes, word: token.kind }
    else throw new TemplateError(`"${token.kind}" stands where nothing began`)
  }
  if (words.length > 0) throw new TemplateError('a statement has no "end"')
  return { nodes, word: undefined }
}

/** What a path names; `it` is the value itself. */
function valueAt(from: Value, path: readonly string[]): Value {
  let at: Value = from
  for (const part of path) {
    if (part === 'it' && path.length === 1) return at
    if (typeof at !== 'object') return undefined
    at = Object.hasOwn(at, part) ? (at as { readonly [key: string]: Value })[part] : undefined
  }
  return at
}

const isTrue = (value: Value): boolean =>
  Array.isArray(value) ? value.length > 0 : typeof value === 'object' ? Object.keys(value).length > 0 : value !== '' && !!value

const itemsOf = (value: Value): readonly Value[] => (Array.isArray(value) ? value : [])

const textOf = (value: Value): string => (value === undefined || typeof value === 'object' ? '' : String(value))

/**
 * A parsed Markdown text, from which references, tasks and HTML are derived. Pure. The dialect is the platform's: GitHub-flavoured
 * tables, strikethrough and task lists, automatic links, emoji by name, formulas, diagrams, and references to items, users, labels and commits.
 */
import { gemoji } from 'gemoji'
import MarkdownIt, { type StateCore, type Token } from 'markdown-it'
import { closedBy, type Named, type TextPart } from './closing.ts'
import { type Reference, splitAtReferences } from './references.ts'
import { sanitize, TASK_MARK } from './sanitize.ts'
import { taskDigest } from './tasks.ts'

/** Maximum length of a text that is parsed, in characters: the limit of descriptions and notes. */
export const MARKDOWN_LENGTH = 1_048_576

/** The target of a reference that the reader may see. */
export interface ReferenceLink {
  /** Absolute URL. */
  readonly href: string
  /** Tooltip. */
  readonly title: string
  /** What stands in place of the reference as it was written: the name of a label. */
  readonly text?: string
  /** Of an item: `opened`, `closed`, `merged`. */
  readonly state?: string
}

/** Resolves a reference to its target; undefined leaves it as text. */
export type LinkReference = (reference: Reference) => ReferenceLink | undefined

const markdown = MarkdownIt({ html: true, linkify: true })
// Only URLs with a scheme become links: `README.md` is a file, not a domain.
markdown.linkify.set({ fuzzyLink: false, fuzzyIP: false })
markdown.core.ruler.push('platform_formulas', markFormulas)
markdown.core.ruler.push('platform_emoji_and_references', withinTexts)
markdown.core.ruler.push('platform_tasks', markTasks)
markdown.core.ruler.push('platform_anchors', markAnchors)

const emojiByName = new Map(gemoji.flatMap(({ names, emoji, description }) => names.map(name => [name, { emoji, description }] as const)))

/** Is this the name of an emoji, without colons? */
export const isEmojiName = (name: string): boolean => emojiByName.has(name)

/** What an emoji shows, in words. */
export const emojiDescription = (name: string): string => emojiByName.get(name)?.description ?? name

/** The character of an emoji; its name between colons where there is none. */
export const emojiOf = (name: string): string => emojiByName.get(name)?.emoji ?? `:${name}:`

/** Contract: what clients set as a formula has these classes; `data-math-style` says whether it stands in a line or by itself. */
const FORMULA = 'code math js-render-math'

/** Marks code between dollar signs as a formula, and takes the signs away. */
function markFormulas(state: StateCore): void {
  for (const { children } of state.tokens) {
    children?.forEach((token, index) => {
      const [before, after] = [children[index - 1], children[index + 1]]
      if (token.type !== 'code_inline' || before?.type !== 'text' || after?.type !== 'text') return
      if (!before.content.endsWith('$') || !after.content.startsWith('$')) return
      before.content = before.content.slice(0, -1)
      after.content = after.content.slice(1)
      token.attrs = [
        ['class', FORMULA],
        ['data-math-style', 'inline'],
      ]
    })
  }
}

/** Splits texts outside of links and code into plain text, emoji and references. */
function withinTexts(state: StateCore): void {
  for (const block of state.tokens) {
    if (block.type !== 'inline' || !block.children) continue
    let links = 0
    block.children = block.children.flatMap(token => {
      if (token.type === 'link_open') links++
      if (token.type === 'link_close') links--
      if (token.type !== 'text') return [token]
      return tokensOf(state, token.content, links > 0)
    })
  }
}

function tokensOf(state: StateCore, content: string, inLink: boolean): Token[] {
  const text = (content: string) => Object.assign(new state.Token('text', '', 0), { content })
  return content.split(/:([a-z0-9_+-]{1,60}):/).flatMap((part, index) => {
    if (index % 2 === 1) {
      if (!emojiByName.has(part)) return [text(`:${part}:`)]
      return [Object.assign(new state.Token('emoji', 'gl-emoji', 0), { meta: { name: part } })]
    }
    if (part === '') return []
    return (inLink ? [part] : splitAtReferences(part)).map(piece =>
      typeof piece === 'string' ? text(piece) : Object.assign(new state.Token('reference', '', 0), { content: piece.text, meta: piece }),
    )
  })
}

/** Characters of a task that its box is called by. */
const TASK_LABEL = 200

const task = /^\[([ xX~])\]\s/

/** Marks list items that begin with `[ ]` or `[x]` as tasks. */
function markTasks(state: StateCore): void {
  let lines: readonly string[] | undefined
  state.tokens.forEach((token, index) => {
    const [item, paragraph] = [state.tokens[index - 2], state.tokens[index - 1]]
    if (token.type !== 'inline' || item?.type !== 'list_item_open' || paragraph?.type !== 'paragraph_open') return
    const mark = token.content.match(task)
    const first = token.children?.[0]
    if (!mark || first?.type !== 'text') return
    item.attrJoin('class', 'task-list-item')
    first.content = first.content.slice(mark[0].length)
    const line = token.map?.[0] ?? 0
    lines ??= state.src.split('\n')
    const label = token.content.slice(mark[0].length).split('\n', 1)[0] ?? ''
    const meta = {
      done: mark[1] === 'x' || mark[1] === 'X',
      line,
      digest: taskDigest(lines[line] ?? ''),
      label: label.slice(0, TASK_LABEL),
    }
    token.children?.unshift(Object.assign(new state.Token('task', 'input', 0), { meta }))
  })
}

/** Gives headings an anchor made from their text. */
function markAnchors(state: StateCore): void {
  const seen = new Map<string, number>()
  state.tokens.forEach((token, index) => {
    if (token.type !== 'heading_open') return
    const slug = (state.tokens[index + 1]?.content ?? '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s+/g, '-')
    if (slug === '') return
    const times = seen.get(slug) ?? 0
    seen.set(slug, times + 1)
    const anchor = new state.Token('heading_anchor', 'a', 0)
    anchor.meta = { slug: times === 0 ? slug : `${slug}-${times}` }
    state.tokens[index + 1]?.children?.unshift(anchor)
  })
}

interface RenderEnvironment {
  readonly link: LinkReference
}

const { escapeHtml } = markdown.utils

const referenceOf = ({ meta }: Token): Reference => meta as unknown as Reference
const isDone = ({ meta }: Token): boolean => meta?.done === true

Object.assign(markdown.renderer.rules, {
  emoji: (tokens: Token[], index: number) => {
    const { name } = tokens[index]!.meta as { name: string }
    const { emoji, description } = emojiByName.get(name)!
    return `<gl-emoji title="${escapeHtml(description)}" data-name="${name}">${emoji}</gl-emoji>`
  },
  reference: (tokens: Token[], index: number, _options: unknown, { link }: RenderEnvironment) => {
    const reference = referenceOf(tokens[index]!)
    const found = link(reference)
    if (!found) return escapeHtml(reference.text)
    const text = escapeHtml(found.text ?? reference.text)
    return `<a href="${escapeHtml(found.href)}" title="${escapeHtml(found.title)}" class="gfm gfm-${reference.kind}">${text}</a>`
  },
  task: (tokens: Token[], index: number) => {
    const { line, digest, label } = tokens[index]!.meta as { line: number; digest: string; label: string }
    return `<input type="checkbox" class="task-list-item-checkbox" disabled${isDone(tokens[index]!) ? ' checked' : ''} aria-label="${escapeHtml(label)}" data-task="${TASK_MARK}${line}:${digest}"> `
  },
  heading_anchor: (tokens: Token[], index: number) => {
    const slug = escapeHtml((tokens[index]!.meta as { slug: string }).slug)
    return `<a id="user-content-${slug}" class="anchor" href="#${slug}" aria-hidden="true"></a>`
  },
  fence: (tokens: Token[], index: number) => {
    const { info, content } = tokens[index]!
    const language = escapeHtml(info.trim().split(/\s+/)[0] || 'plaintext')
    const code = escapeHtml(content)
    if (language === 'math') return `<pre class="${FORMULA}" lang="math" data-math-style="display"><code>${code}</code></pre>\n`
    return `<pre class="code" lang="${language}"><code${language === 'mermaid' ? ' class="js-render-mermaid"' : ''}>${code}</code></pre>\n`
  },
})
for (const name of ['paragraph_open', 'bullet_list_open', 'ordered_list_open', 'heading_open', 'blockquote_open', 'table_open']) {
  markdown.renderer.rules[name] = (tokens, index, options, _environment, self) => {
    // The direction of each block follows its own text.
    tokens[index]!.attrSet('dir', 'auto')
    return self.renderToken(tokens, index, options)
  }
}

/** The plain text, references and URLs of a block. Any other token ends a list of references. */
function partsIn(children: readonly Token[]): TextPart[] {
  let inLink = false
  return children.flatMap((token): TextPart[] => {
    if (token.type === 'link_close') inLink = false
    else if (token.type === 'link_open') {
      inLink = true
      return [{ address: String(token.attrGet('href') ?? '') }]
    } else if (token.type === 'reference') return [referenceOf(token)]
    else if (token.type === 'softbreak') return ['\n']
    else if (!inLink) return [token.type === 'text' ? token.content : '`']
    return []
  })
}

/** A parsed text. */
export interface MarkdownDocument {
  /** References outside of code and links, in order, with duplicates. */
  readonly references: readonly Reference[]
  /** URLs of its links, including automatic ones. */
  readonly addresses: readonly string[]
  /** The issues that it closes, in order. */
  readonly closes: readonly Named[]
  readonly tasks: { readonly count: number; readonly completed: number }
  /** Safe HTML, in which references with a target in `link` are links. */
  html(link?: LinkReference): string
}

/** Parses Markdown. @throws RangeError for a text above the limit, which requests refuse before */
export function parseMarkdown(text: string): MarkdownDocument {
  if (text.length > MARKDOWN_LENGTH) throw new RangeError(`Markdown of more than ${MARKDOWN_LENGTH} characters`)
  const tokens = markdown.parse(text, {})
  const inline = tokens.flatMap(token => token.children ?? [])
  const tasks = inline.filter(({ type }) => type === 'task')
  return {
    references: inline.filter(({ type }) => type === 'reference').map(referenceOf),
    addresses: inline.filter(({ type }) => type === 'link_open').map(token => String(token.attrGet('href') ?? '')),
    closes: tokens.flatMap(({ children }) => closedBy(partsIn(children ?? []))),
    tasks: { count: tasks.length, completed: tasks.filter(isDone).length },
    html: (link = () => undefined) => sanitize(markdown.renderer.render(tokens, markdown.options, { link } satisfies RenderEnvironment)),
  }
}

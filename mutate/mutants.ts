/** Small changes to a source file, each of which some test should notice. */
import { stripTypeScriptTypes } from 'node:module'
import { type AnyNode, parse } from 'acorn'
import { fullAncestor } from 'acorn-walk'

/** A change: the characters from `start` to before `end` become `text`. Offsets count UTF-16 units of the TypeScript source. */
export interface Mutant {
  readonly start: number
  readonly end: number
  readonly text: string
  /** What the change does, for people: `&& becomes ||`. */
  readonly change: string
}

const SWAPS: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&&': '||',
  '||': '&&',
}

/** Methods with a sibling that takes the same arguments. */
const SIBLINGS: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  andWhere: 'orWhere',
}

/** Methods that return what they are called on, in another order or with less in it: the call is left out. */
const NARROWING = new Set([
  'where',
  'filter',
  'orderBy',
  'limit',
  'forUpdate',
  'forShare',
  'sort',
  'toSorted',
  'trim',
  'toLowerCase',
  'slice',
])

/** Words of SQL, in the text of a statement. */
const SQL: readonly (readonly [RegExp, string])[] = [
  [/\band\b/g, 'or'],
  [/\bor\b/g, 'and'],
  [/\bnot exists\b/g, 'exists'],
  [/\bis null\b/g, 'is not null'],
  [/\bis not null\b/g, 'is null'],
  [/ >= /g, ' > '],
  [/ <= /g, ' < '],
  [/ < /g, ' <= '],
  [/ > /g, ' >= '],
  [/ <> /g, ' = '],
  [/\bdesc\b/g, 'asc'],
  [/\bfor (no key )?update\b/g, ''],
]

/**
 * All mutants of a source file, in the order of the text. Types are not mutated: they are gone when the program runs. What does not compile with a
 * mutant is a mutant that the compiler kills; none of these needs to be tried (a test that runs it fails as well).
 * @param source the TypeScript text, of the kind whose types Node strips
 */
export function mutantsOf(source: string): Mutant[] {
  // Types become blanks, so that offsets stay.
  const text = stripTypeScriptTypes(source)
  const program = parse(text, { ecmaVersion: 'latest', sourceType: 'module' })
  const mutants: Mutant[] = []
  const add = (start: number, end: number, replacement: string, change: string) => mutants.push({ start, end, text: replacement, change })
  const of = (node: AnyNode) => text.slice(node.start, node.end)

  /** An operator stands between its operands, with blanks and comments around it. */
  const swapOperator = (operator: string, from: number, to: number) => {
    const becomes = SWAPS[operator]
    const at = text.slice(from, to).indexOf(operator)
    if (becomes !== undefined && at >= 0) add(from + at, from + at + operator.length, becomes, `${operator} becomes ${becomes}`)
  }

  fullAncestor(program, (node, _state, ancestors) => {
    const parent = ancestors.at(-2)
    switch (node.type) {
      case 'IfStatement':
      case 'ConditionalExpression':
        add(node.test.start, node.test.end, 'true', `the condition ${short(of(node.test))} is always true`)
        add(node.test.start, node.test.end, 'false', `the condition ${short(of(node.test))} is never true`)
        break
      case 'LogicalExpression':
        if (node.operator === '??') add(node.left.end, node.end, '', `${short(of(node))} without what follows ??`)
        else swapOperator(node.operator, node.left.end, node.right.start)
        break
      case 'BinaryExpression':
        if (!isText(node.left) && !isText(node.right)) swapOperator(node.operator, node.left.end, node.right.start)
        break
      case 'UnaryExpression':
        if (node.operator === '!' || node.operator === '-')
          add(node.start, node.start + 1, '', `${short(of(node))} without ${node.operator}`)
        break
      case 'Literal':
        if (typeof node.value === 'boolean') add(node.start, node.end, String(!node.value), `${node.value} becomes ${!node.value}`)
        if (typeof node.value === 'number') add(node.start, node.end, String(node.value + 1), `${node.value} becomes ${node.value + 1}`)
        break
      case 'AwaitExpression':
        // A statement that only waits is left out as a whole below, and is also done without waiting here.
        add(node.start, node.start + 'await'.length, 'void', `does not wait for ${short(of(node.argument))}`)
        break
      case 'ExpressionStatement':
        if (isEffect(node.expression)) add(node.start, node.end, ';', `without ${short(of(node))}`)
        break
      case 'ThrowStatement':
        add(node.start, node.end, ';', `without ${short(of(node))}`)
        break
      case 'SpreadElement':
        if (parent?.type === 'ArrayExpression') add(node.start, node.end, '', `without ${short(of(node))}`)
        break
      case 'CallExpression':
        if (node.callee.type === 'MemberExpression' && node.callee.property.type === 'Identifier') {
          const { name, start, end } = node.callee.property
          if (NARROWING.has(name)) add(node.callee.object.end, node.end, '', `without .${name} in ${short(of(node))}`)
          const sibling = Object.hasOwn(SIBLINGS, name) ? SIBLINGS[name] : undefined
          if (sibling !== undefined) add(start, end, sibling, `.${name} becomes .${sibling}`)
        }
        break
      case 'TaggedTemplateExpression':
        if (node.tag.type === 'Identifier' && node.tag.name.startsWith('sql'))
          for (const part of node.quasi.quasis)
            for (const [word, becomes] of SQL)
              for (const found of of(part).matchAll(word)) {
                const at = part.start + found.index
                add(at, at + found[0].length, becomes, `"${found[0].trim()}" becomes "${becomes.trim()}" in SQL`)
              }
        break
    }
  })
  return mutants.sort((a, b) => a.start - b.start || a.end - b.end)
}

/** The source with the change made. */
export const mutated = (source: string, { start, end, text }: Mutant): string => source.slice(0, start) + text + source.slice(end)

const isText = (node: AnyNode): boolean =>
  (node.type === 'Literal' && typeof node.value === 'string') || node.type === 'TemplateLiteral' || node.type === 'PrivateIdentifier'

/** Does something that is not seen from its value alone: a call, an assignment, a count. */
const isEffect = (node: AnyNode): boolean =>
  node.type === 'CallExpression' ||
  node.type === 'AssignmentExpression' ||
  node.type === 'UpdateExpression' ||
  ((node.type === 'AwaitExpression' || (node.type === 'UnaryExpression' && node.operator === 'void')) && isEffect(node.argument))

/** A piece of source on one line. */
function short(code: string): string {
  const line = code.replaceAll(/\s+/g, ' ').trim()
  return line.length > 60 ? `${line.slice(0, 57)}…` : line
}

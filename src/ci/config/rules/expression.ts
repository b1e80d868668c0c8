/**
 * The language of `if` and `only: variables`: variables, texts, `null`, regular expressions, `==`, `!=`, `=~`, `!~`, `&&`, `||` and
 * parentheses. An expression is parsed when the file is read and evaluated for each pipeline.
 */
import type { RE2JS } from 're2js'
import { isPattern, looksLikePattern, patternOf } from './patterns.ts'

/** Values of variables, by name. */
export type Lookup = (name: string) => string | undefined

/** Replaces `$NAME` and `${NAME}` in a text by their values, without recursion; unset variables become empty. */
export const withVariables = (text: string, lookup: Lookup): string =>
  text.replace(/\$\{(\w+)\}|\$(\w+)/g, (_all, braced?: string, bare?: string) => lookup(braced ?? bare ?? '') ?? '')

export type Expression =
  | { readonly is: 'variable'; readonly name: string }
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'null' }
  | { readonly is: 'pattern'; readonly text: string }
  | { readonly is: '==' | '!=' | '=~' | '!~' | '&&' | '||'; readonly left: Expression; readonly right: Expression }

type Operator = '==' | '!=' | '=~' | '!~' | '&&' | '||'

type Token = { readonly value: Expression } | { readonly sign: Operator | '(' | ')' }

const lexemes =
  /\s+|\$(?<name>\w+)|"(?<double>[^"]*)"|'(?<single>[^']*)'|(?<nothing>null\b)|(?<pattern>\/(?:[^/\\]|\\.)+\/[ismU]*)|(?<sign>==|!=|=~|!~|&&|\|\||[()])|(?<odd>.)/gsy

/** Of one expression: more of them would take long to tell apart. */
const MAX_TOKENS = 10_000

function tokensOf(text: string): Token[] | undefined {
  const tokens: Token[] = []
  for (const { groups = {} } of text.matchAll(lexemes)) {
    const { name, double, single, nothing, pattern, sign, odd } = groups
    if (odd !== undefined || tokens.length === MAX_TOKENS) return undefined
    if (name !== undefined) tokens.push({ value: { is: 'variable', name } })
    else if (double !== undefined) tokens.push({ value: { is: 'text', text: double } })
    else if (single !== undefined) tokens.push({ value: { is: 'text', text: single } })
    else if (nothing !== undefined) tokens.push({ value: { is: 'null' } })
    else if (pattern !== undefined) tokens.push({ value: { is: 'pattern', text: pattern } })
    else if (sign !== undefined) tokens.push({ sign: sign as Operator })
  }
  return tokens
}

/** Binding strength of operators. */
const bindings: Readonly<Record<Operator, number>> = { '||': 1, '&&': 2, '==': 3, '!=': 3, '=~': 3, '!~': 3 }

const MAX_DEPTH = 100

/** Operators of one expression: a chain of them (`$A && $B && …`) lies as deep in itself as it is long, and is evaluated from within. */
const MAX_OPERATORS = 1_000

/** Parses an expression; undefined if it is invalid, or has a regular expression that cannot be compiled. */
export function parseExpression(text: string): Expression | undefined {
  const tokens = tokensOf(text)
  if (!tokens || tokens.filter(token => 'sign' in token && token.sign in bindings).length > MAX_OPERATORS) return undefined
  let at = 0

  const operand = (depth: number): Expression | undefined => {
    const token = tokens[at]
    if (token === undefined || depth > MAX_DEPTH) return undefined
    at += 1
    if ('value' in token) return token.value
    if (token.sign !== '(') return undefined
    const inner = operation(1, depth + 1)
    const close = tokens[at]
    at += 1
    return close && 'sign' in close && close.sign === ')' ? inner : undefined
  }

  const operation = (firmness: number, depth: number): Expression | undefined => {
    let left = operand(depth)
    while (left) {
      const token = tokens[at]
      if (token === undefined || !('sign' in token) || token.sign === '(' || token.sign === ')') break
      const binding = bindings[token.sign]
      if (binding < firmness) break
      at += 1
      const right = operation(binding + 1, depth + 1)
      if (!right || !isSound(token.sign, left, right)) return undefined
      left = { is: token.sign, left, right }
    }
    return left
  }

  const expression = operation(1, 0)
  if (!expression || at < tokens.length || expression.is === 'pattern') return undefined
  return expression
}

/** Regular expressions, or variables that hold one, may only stand on the right of `=~` and `!~`. */
function isSound(sign: Operator, left: Expression, right: Expression): boolean {
  if (left.is === 'pattern') return false
  if (sign !== '=~' && sign !== '!~') return right.is !== 'pattern'
  if (right.is === 'pattern') return isPattern(right.text)
  return right.is === 'variable' || right.is === 'text'
}

/** Looks for a regular expression in a text. */
export type Find = (pattern: RE2JS, text: string) => Promise<boolean>

/** Evaluates the expression. A variable alone is true if it is set and not empty. */
export async function holds(expression: Expression, lookup: Lookup, find: Find): Promise<boolean> {
  const value = await meaning(expression, lookup, find)
  return typeof value === 'boolean' ? value : value !== undefined && value !== ''
}

async function meaning(expression: Expression, lookup: Lookup, find: Find): Promise<boolean | string | undefined> {
  switch (expression.is) {
    case 'variable':
      return lookup(expression.name)
    case 'text':
    case 'pattern':
      return expression.text
    case 'null':
      return undefined
    case '&&':
      return (await holds(expression.left, lookup, find)) && holds(expression.right, lookup, find)
    case '||':
      return (await holds(expression.left, lookup, find)) || holds(expression.right, lookup, find)
    case '==':
      return (await meaning(expression.left, lookup, find)) === (await meaning(expression.right, lookup, find))
    case '!=':
      return (await meaning(expression.left, lookup, find)) !== (await meaning(expression.right, lookup, find))
    case '=~':
      return matches(expression, lookup, find)
    case '!~':
      return !(await matches(expression, lookup, find))
  }
}

async function matches(
  { left, right }: { readonly left: Expression; readonly right: Expression },
  lookup: Lookup,
  find: Find,
): Promise<boolean> {
  const text = await meaning(left, lookup, find)
  const written = await meaning(right, lookup, find)
  if (typeof text !== 'string' || typeof written !== 'string') return false
  const pattern = looksLikePattern(written) ? patternOf(written) : undefined
  return pattern !== undefined && find(pattern, text)
}

/** The regular expressions of the program, for the test that has each of them judged (patterns.test.ts). */
import { stripTypeScriptTypes } from 'node:module'
import { type AnyNode, type NewExpression, parse } from 'acorn'
import { full } from 'acorn-walk'
import type { SourceFile } from './source_files.ts'

/**
 * What stands before a literal of an expression, and no division: files without it are not parsed, which is most of the work. What only an
 * expression in a comparison or a sum follows is left out.
 */
const mayBegin = /(?:[(,=:[!&|?{};]|=>|\*\/|\b(?:return|case|of|in|typeof|default|throw|yield|await|else|do|void))\s*\/(?![/*])|RegExp\(/

/**
 * The expressions that a file has as literals, and those that it makes of texts which it has as constants.
 * Expressions made of what is known only when the program runs are not among them.
 */
export function expressionsOf(text: string): RegExp[] {
  if (!mayBegin.test(text)) return []
  const program = parse(stripTypeScriptTypes(text), { ecmaVersion: 'latest', sourceType: 'module' })
  const constants = new Map<string, AnyNode>()
  const found: RegExp[] = []
  const made: NewExpression[] = []
  full(program, node => {
    if (node.type === 'VariableDeclaration' && node.kind === 'const')
      for (const { id, init } of node.declarations) if (id.type === 'Identifier' && init) constants.set(id.name, init)
    if (node.type === 'Literal' && node.regex) found.push(new RegExp(node.regex.pattern, node.regex.flags))
    if (node.type === 'NewExpression' && node.callee.type === 'Identifier' && node.callee.name === 'RegExp') made.push(node)
  })
  for (const { arguments: given } of made) {
    const [source, flags] = given.map(argument => constantOf(argument, constants))
    if (source !== undefined) found.push(new RegExp(source, flags ?? ''))
  }
  return found
}

/** The text that an expression of the language stands for, if it is constant. */
function constantOf(node: AnyNode, constants: ReadonlyMap<string, AnyNode>): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined
  if (node.type === 'Identifier') {
    const init = constants.get(node.name)
    return init && constantOf(init, constants)
  }
  if (node.type !== 'TemplateLiteral') return undefined
  const parts = node.expressions.map(expression => constantOf(expression, constants))
  if (parts.includes(undefined)) return undefined
  return node.quasis.map(({ value }, index) => `${value.cooked ?? ''}${parts[index] ?? ''}`).join('')
}

/** Every expression of the files, with those that have it. */
export function expressionsIn(files: readonly SourceFile[]): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const { path, text } of files)
    for (const expression of new Set(expressionsOf(text).map(String))) found.set(expression, [...(found.get(expression) ?? []), path])
  return found
}

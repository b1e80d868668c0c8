/** What a file defines, by the grammar of its language: functions, classes, headings. Pure. */
import { parser as cpp } from '@lezer/cpp'
import { parser as go } from '@lezer/go'
import { parser as java } from '@lezer/java'
import { parser as javascript } from '@lezer/javascript'
import { parser as markdown } from '@lezer/markdown'
import { parser as php } from '@lezer/php'
import { parser as python } from '@lezer/python'
import { parser as rust } from '@lezer/rust'
import { withoutEnding } from '../../../platform/patterns/ends.ts'

/** Something that a file defines. */
export interface FileSymbol {
  readonly name: string
  /** A word for people: `function`, `class`. */
  readonly kind: string
  /** From 1. */
  readonly line: number
  /** How many others it is in. */
  readonly depth: number
}

type Tree = ReturnType<typeof javascript.parse>
type Node = Tree['topNode']

/** What a node of the syntax tree defines. */
interface Rule {
  readonly kind: string
  /** Are definitions in it listed too? */
  readonly holds?: boolean
  /** The node that is the name; undefined for none, which is not listed. */
  readonly name: (node: Node) => Node | undefined
  /** The name as it is shown, where it is more than the text of a node. */
  readonly shown?: (node: Node, text: string) => string
}

interface Language {
  readonly parser: { startParse(text: string): { advance(): Tree | null } }
  readonly rules: Readonly<Record<string, Rule>>
}

/** The first child of one of these types. */
const child =
  (...types: readonly string[]) =>
  (node: Node): Node | undefined => {
    for (let next = node.firstChild; next; next = next.nextSibling) if (types.includes(next.name)) return next
    return undefined
  }

/** The first child of a declarator, which may stand in others: `int *f(void)`. */
const declared = (node: Node): Node | undefined => {
  for (let next: Node | null | undefined = node; next; next = child('PointerDeclarator', 'ReferenceDeclarator', 'FunctionDeclarator')(next))
    if (next.name === 'FunctionDeclarator') return next.firstChild ?? undefined
  // `T& f()`
  return undefined
}

/** The name on the left of a function that is a value: `const f = () => 1`. */
const assigned = (node: Node): Node | undefined => {
  if (!['VariableDeclaration', 'PropertyDeclaration'].includes(node.parent?.name ?? '')) return undefined
  for (let before = node.prevSibling; before; before = before.prevSibling)
    if (['VariableDefinition', 'PropertyDefinition', 'PrivatePropertyDefinition'].includes(before.name)) return before
  return undefined
}

/** Only where the body stands here too: a name alone refers to what is defined elsewhere. */
const withBody =
  (body: string, name: (node: Node) => Node | undefined) =>
  (node: Node): Node | undefined =>
    child(body)(node) && name(node)

const inOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

const script: Language['rules'] = {
  FunctionDeclaration: { kind: 'function', name: child('VariableDefinition') },
  AmbientFunctionDeclaration: { kind: 'function', name: child('VariableDefinition') },
  ArrowFunction: { kind: 'function', name: assigned },
  FunctionExpression: { kind: 'function', name: assigned },
  ClassDeclaration: { kind: 'class', holds: true, name: child('VariableDefinition') },
  ClassExpression: { kind: 'class', holds: true, name: assigned },
  MethodDeclaration: { kind: 'method', name: child('PropertyDefinition', 'PrivatePropertyDefinition') },
  InterfaceDeclaration: { kind: 'interface', name: child('TypeDefinition') },
  TypeAliasDeclaration: { kind: 'type', name: child('TypeDefinition') },
  EnumDeclaration: { kind: 'enum', name: child('TypeDefinition') },
  NamespaceDeclaration: { kind: 'namespace', holds: true, name: child('VariableDefinition') },
}

const dialect = (name: string): Language => ({ parser: javascript.configure({ dialect: name }), rules: script })

const heading = (level: number): Rule => ({
  kind: `heading ${level}`,
  name: node => node,
  shown: (_node, text) => {
    const end = text.lastIndexOf('\n')
    const isUnderlined = end >= 0 && /^\s*[=-]+\s*$/.test(text.slice(end + 1))
    return inOneLine((isUnderlined ? text.slice(0, end) : withoutEnding(text, /[\s#]/)).replace(/^#+/, ''))
  },
})

const javaType = (kind: string, name = 'Definition'): Rule => ({ kind, holds: true, name: child(name) })
const phpType = (kind: string): Rule => ({ kind, holds: true, name: child('Name') })
const rustItem = (kind: string, name: string, holds = false): Rule => ({ kind, holds, name: child(name) })
const cppType = (kind: string): Rule => ({
  kind,
  holds: true,
  name: withBody('FieldDeclarationList', child('TypeIdentifier', 'TemplateType', 'ScopedTypeIdentifier')),
})

/** By the names that the highlighter has for them. */
const languages: Readonly<Record<string, Language>> = {
  javascript: dialect('jsx'),
  jsx: dialect('jsx'),
  js: dialect('jsx'),
  typescript: dialect('ts'),
  ts: dialect('ts'),
  tsx: dialect('ts jsx'),
  python: {
    parser: python,
    rules: {
      ClassDefinition: { kind: 'class', holds: true, name: child('VariableName') },
      FunctionDefinition: { kind: 'function', name: child('VariableName') },
    },
  },
  go: {
    parser: go,
    rules: {
      FunctionDecl: { kind: 'function', name: child('DefName') },
      MethodDecl: {
        kind: 'method',
        name: child('FieldName'),
        // With what it is a method of.
        shown: (node, text) => inOneLine(text.slice('func'.length, (child('FieldName')(node)?.to ?? node.to) - node.from)),
      },
      TypeSpec: { kind: 'type', name: child('DefName') },
    },
  },
  rust: {
    parser: rust,
    rules: {
      ModItem: rustItem('module', 'BoundIdentifier', true),
      FunctionItem: rustItem('function', 'BoundIdentifier'),
      StructItem: rustItem('struct', 'TypeIdentifier'),
      UnionItem: rustItem('union', 'TypeIdentifier'),
      EnumItem: rustItem('enum', 'TypeIdentifier'),
      TraitItem: rustItem('trait', 'TypeIdentifier', true),
      TypeItem: rustItem('type', 'TypeIdentifier'),
      MacroDefinition: rustItem('macro', 'Identifier'),
      ImplItem: {
        kind: 'impl',
        holds: true,
        name: node => node,
        shown: (_node, text) => inOneLine(text.slice('impl'.length).split('{', 1)[0] ?? ''),
      },
    },
  },
  java: {
    parser: java,
    rules: {
      ClassDeclaration: javaType('class'),
      InterfaceDeclaration: javaType('interface'),
      EnumDeclaration: javaType('enum'),
      RecordDeclaration: javaType('record'),
      AnnotationTypeDeclaration: javaType('annotation', 'Identifier'),
      MethodDeclaration: { kind: 'method', name: child('Definition') },
      ConstructorDeclaration: { kind: 'constructor', name: child('Definition') },
    },
  },
  cpp: {
    parser: cpp,
    rules: {
      NamespaceDefinition: { kind: 'namespace', holds: true, name: child('Identifier', 'ScopedNamespaceIdentifier') },
      ClassSpecifier: cppType('class'),
      StructSpecifier: cppType('struct'),
      UnionSpecifier: cppType('union'),
      EnumSpecifier: { kind: 'enum', name: withBody('EnumeratorList', child('TypeIdentifier')) },
      FunctionDefinition: { kind: 'function', name: declared },
    },
  },
  php: {
    parser: php,
    rules: {
      ClassDeclaration: phpType('class'),
      InterfaceDeclaration: phpType('interface'),
      TraitDeclaration: phpType('trait'),
      EnumDeclaration: phpType('enum'),
      MethodDeclaration: { kind: 'method', name: child('Name') },
      FunctionDefinition: { kind: 'function', name: child('Name') },
    },
  },
  markdown: {
    parser: markdown,
    rules: Object.fromEntries(
      [1, 2, 3, 4, 5, 6].flatMap(level => [
        [`ATXHeading${level}`, heading(level)],
        [`SetextHeading${level}`, heading(level)],
      ]),
    ),
  },
}

/** Endings that the highlighter takes for names of languages. */
const otherNames: Readonly<Record<string, string>> = {
  py: 'python',
  pyi: 'python',
  rs: 'rust',
  c: 'cpp',
  cc: 'cpp',
  cxx: 'cpp',
  hh: 'cpp',
  md: 'markdown',
  mkd: 'markdown',
}

const languageNamed = (name: string): Language | undefined => {
  const own = otherNames[name] ?? name
  return Object.hasOwn(languages, own) ? languages[own] : undefined
}

export const hasSymbols = (language: string): boolean => languageNamed(language) !== undefined

/** Symbols of a file, and characters of a name, that are listed. */
export const MOST_SYMBOLS = 500
const LONGEST_NAME = 120

/** Milliseconds that a parser may take: some texts, such as half a million open brackets, take it twenty seconds. */
const LONGEST_PARSE = 1_000

function treeOf({ parser }: Language, text: string): Tree | undefined {
  const parse = parser.startParse(text)
  const end = performance.now() + LONGEST_PARSE
  for (;;) {
    const tree = parse.advance()
    if (tree) return tree
    if (performance.now() > end) return undefined
  }
}

/** What a text defines, in its order; what is in a function is its own business. Nothing for a text that takes too long. */
export function symbolsIn(text: string, language: string): readonly FileSymbol[] {
  const found: FileSymbol[] = []
  const known = languageNamed(language)
  if (!known) return found
  const lineAt = lineCounter(text)
  const enclosing: Rule[] = []
  treeOf(known, text)?.iterate({
    enter: ({ name: type, node, from, to }) => {
      const rule = known.rules[type]
      const name = rule?.name(node)
      if (found.length >= MOST_SYMBOLS) return false
      if (!rule || !name) return true
      const shown = rule.shown ? rule.shown(node, text.slice(from, to)) : text.slice(name.from, name.to)
      const depth = type.includes('Heading') ? Number(type.at(-1)) - 1 : enclosing.length
      found.push({ name: shown.slice(0, LONGEST_NAME), kind: rule.kind, line: lineAt(name.from), depth })
      if (!rule.holds) return false
      enclosing.push(rule)
      return true
    },
    leave: ({ name: type, node }) => {
      const rule = known.rules[type]
      if (rule?.holds && rule === enclosing.at(-1) && rule.name(node)) enclosing.pop()
    },
  })
  return found.filter(({ name }) => name !== '')
}

/** The line of a place, from 1; places are asked for in their order. */
function lineCounter(text: string): (at: number) => number {
  let line = 1
  let end = text.indexOf('\n')
  return at => {
    while (end >= 0 && end < at) {
      line += 1
      end = text.indexOf('\n', end + 1)
    }
    return line
  }
}

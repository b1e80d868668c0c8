/** The rules for names and paths of users, groups and projects. Pure. */
import type { Failures } from '../../platform/kernel/errors.ts'
import { withoutEnding } from '../../platform/patterns/ends.ts'

/** Names that are reserved at the top level: they are addresses of the server itself. */
const reservedAtTop = new Set(
  `-  .well-known 404.html 422.html 500.html 502.html 503.html admin api apple-touch-icon.png apple-touch-icon-precomposed.png assets dashboard
   deploy.html explore favicon.ico favicon.png files groups health_check help import invites jwt login oauth profile projects public robots.txt s search
   sitemap sitemap.xml sitemap.xml.gz slash-command-logo.png snippets unsubscribes uploads users v2`
    .split(/\s+/)
    .filter(word => word !== ''),
)

/** Names that are reserved below a namespace: they begin the pages of a project or group. */
const reservedBelow = new Set(
  `- badges blame blob builds commits create create_dir edit environments/folders files find_file lfs/objects info/lfs/objects new preview raw refs tree update wikis`.split(
    ' ',
  ),
)

/** Is a first segment of an address the server's own? */
export const isReservedAtTop = (segment: string): boolean => reservedAtTop.has(segment.toLowerCase())

/** `.git` and `.atom` at the end would make addresses ambiguous. */
const badEnding = /(\.git|\.atom|\.)$/i
const form = /^[A-Za-z0-9_.][A-Za-z0-9_\-.]*$/
const wrongForm = "can contain only letters, digits, '_', '-' and '.'. Cannot start with '-' or end in '.', '.git' or '.atom'."

/** The problems of the path of a user, group or project; `place` is `top` for users and for groups without a parent. */
export function pathProblems(path: string, place: 'top' | 'below'): string[] {
  const problems: string[] = []
  if (!form.test(path) || badEnding.test(path)) problems.push(wrongForm)
  const reserved = place === 'top' ? reservedAtTop : reservedBelow
  if (reserved.has(path.toLowerCase())) problems.push(`${path} is a reserved name`)
  return problems
}

/** The characters of names besides letters and digits: the public API accepts everything from © to the pictographs. */
const character = '\\p{L}\\p{N}\\u{00A9}-\\u{1FAFF}_'
const projectName = new RegExp(`^[${character}][${character}\\p{Pd}. +]*$`, 'u')
const groupName = new RegExp(`^[${character}][${character}\\p{Pd}. ()]*$`, 'u')

/** The problems of the name of a project. */
export const projectNameProblems = (name: string): string[] =>
  projectName.test(name)
    ? []
    : ["can contain only letters, digits, emojis, '_', '.', '+', dashes, or spaces. It must start with a letter, digit, emoji, or '_'."]

/** The problems of the name of a group. */
export const groupNameProblems = (name: string): string[] =>
  groupName.test(name)
    ? []
    : ["can contain only letters, digits, emojis, '_', '.', dash, space, parenthesis. It must start with letter, digit, emoji or '_'."]

/** `{name: problems}` without the names that have none, for `invalid`; undefined if there is no problem. */
export function failuresOf(problems: Readonly<Record<string, string[]>>): Failures | undefined {
  const failures = Object.entries(problems).filter(([, words]) => words.length > 0)
  return failures.length > 0 ? Object.fromEntries(failures) : undefined
}

/** The path that clients expect for a name when they send none: `My - Project!` becomes `my-project` (decision 45). */
export function pathFromName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9_.]+/g, '-')
    .replace(/^[-.]+/, '')
  return withoutEnding(plain, /[-.]/)
}

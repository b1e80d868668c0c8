/** How pages of wikis are called: titles, slugs, files and formats. Pure. */
import type { Failures } from '../../platform/kernel/errors.ts'

/** The formats in which the API writes pages. */
export const formats = ['markdown', 'rdoc', 'asciidoc', 'org'] as const
export type PageFormat = (typeof formats)[number]

/** The endings of page files, by format; what the API writes has the first one. */
const endings: Readonly<Record<string, readonly string[]>> = {
  markdown: ['md', 'markdown', 'mkdn', 'mkd', 'mdown'],
  rdoc: ['rdoc'],
  asciidoc: ['asciidoc', 'adoc'],
  org: ['org'],
  textile: ['textile'],
  creole: ['creole'],
  rest: ['rst', 'rest'],
  mediawiki: ['mediawiki', 'wiki'],
  plaintext: ['txt'],
}

const formatByEnding = new Map(Object.entries(endings).flatMap(([format, all]) => all.map(ending => [ending, format] as const)))

/** The page on which a wiki begins. */
export const HOME = 'home'

/** The page that pages show beside themselves in place of the list of pages. */
export const SIDEBAR = '_sidebar'

/** Limits of names in bytes: a file name has 255, and its ending is part of it. */
const MAX_TITLE = 245
const MAX_DIRECTORY = 255

/** What a path of a repository says of the page in it. */
export interface PageName {
  readonly slug: string
  readonly title: string
  readonly format: string
  readonly path: string
}

/** The name of the page in a file; undefined for other files. */
export function pageNameOf(path: string): PageName | undefined {
  const [, slug, ending] = /^(.*[^/])\.([^./]+)$/.exec(path) ?? []
  const format = formatByEnding.get(ending?.toLowerCase() ?? '')
  if (slug === undefined || format === undefined) return undefined
  return { slug, title: titleOf(slug), format, path }
}

/** `guides/Getting-started` is called `Getting started`. */
export const titleOf = (slug: string): string => slug.slice(slug.lastIndexOf('/') + 1).replaceAll('-', ' ')

/** The title without spaces that are too many. */
const squished = (title: string): string =>
  title
    .split('/')
    .map(part => part.trim().replace(/\s+/g, ' '))
    .join('/')
    .replace(/^\/+/, '')

/** `guides/Getting started` as `guides/Getting-started`. */
export const slugOf = (title: string): string => squished(title).replace(/\s/g, '-').replace(/[<>+]/g, '-')

/** The path of a page's file. */
export const pathOf = (slug: string, format: PageFormat): string => `${slug}.${endings[format]?.[0]}`

/** Do the two name the same page? Letter case and the kind of spaces do not matter. */
export const isSamePage = (slug: string, other: string): boolean => keyOf(slug) === keyOf(other)

/** What is equal for all spellings of a page's name. */
export const keyOf = (slug: string): string => slug.replace(/[\s-]+/g, '-').toLowerCase()

/** Why a title cannot be that of a page; undefined if it can. */
export function titleFailures(title: string): Failures | undefined {
  const parts = squished(title).split('/')
  const name = parts.at(-1) ?? ''
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  if (/[\u0000-\u001f\u007f\\]/.test(title)) return { title: ['contains characters that a page cannot have in its title'] }
  if (name === '') return { title: ["can't be blank"] }
  if (parts.some(part => part === '..' || part === '.')) return { title: ['cannot include directory traversal'] }
  if (parts.some(part => part === '' || /^\.git$/i.test(part))) return { title: ['is not a path that a page can have'] }
  const failures = [
    ...(Buffer.byteLength(name) > MAX_TITLE ? [`exceeds the limit of ${MAX_TITLE} bytes`] : []),
    ...parts
      .slice(0, -1)
      .filter(part => Buffer.byteLength(part) > MAX_DIRECTORY)
      .map(part => `exceeds the limit of ${MAX_DIRECTORY} bytes for directory name "${part}"`),
  ]
  return failures.length > 0 ? { title: failures } : undefined
}

/**
 * The slug that a page has after it got a title. Contract: a title without a folder keeps the page in its folder, one that begins with `/` moves
 * it to the root, and one that says the same as before changes nothing (public behaviour at 14.0).
 */
export function slugAfter(slug: string, title: string): string {
  const directory = slug.includes('/') ? slug.slice(0, slug.lastIndexOf('/') + 1) : ''
  const isRooted = title.startsWith('/') || title.includes('/')
  const next = isRooted ? slugOf(title) : directory + slugOf(title)
  return spaced(next) === spaced(slug) ? slug : next
}

const spaced = (slug: string): string => slug.replace(/[\s-]+/g, ' ')

/** The name of an attached file, as it stands in links. */
export const attachmentName = (filename: string): string => {
  const name = (filename.split(/[/\\]/).at(-1) ?? '').replace(/[^\p{L}\p{N}_.\-+]/gu, '_')
  const cut = name.slice(-200)
  return /^\.*$/.test(cut) ? 'file' : cut
}

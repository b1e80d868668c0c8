/** Links and pictures in a text that is a file of a repository: what they name is a path beside that file. Pure. */
import { escapeHtml } from '../../../platform/pages/html.ts'
import { projectPath } from '../../../spaces/projects/pages/place.ts'
import { revisionPage } from '../addresses.ts'
import { isMarkdown } from './blob_kind.ts'

/** Where the file stands. */
export interface TextPlace {
  readonly project: { readonly full_path: string }
  readonly ref: string
  /** The directory of the file; empty for the root. */
  readonly directory: string
}

const characters: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' }

/** The value of an attribute as the sanitizer writes it. */
const unescaped = (written: string): string => written.replace(/&(?:amp|lt|gt|quot);/g, entity => characters[entity] as string)

/**
 * Sanitised HTML with the addresses of the pages of files in place of paths, and those of the files themselves in pictures. A path that begins with a
 * slash begins at the root of the repository, as the platform reads it.
 */
export const withinRepository = (rendered: string, place: TextPlace): string =>
  rendered.replace(/<(a|img) [^<>]*>/g, (tag, element: string) =>
    tag.replace(/ (href|src)="([^"]*)"/, (whole, attribute: string, written: string) => {
      const address = addressOf(unescaped(written), element === 'img' ? 'raw' : 'blob', place)
      return address === undefined ? whole : ` ${attribute}="${escapeHtml(address)}"`
    }),
  )

/** The address of what a path names; undefined for a whole address, and for a place in the text itself. */
function addressOf(target: string, kind: 'blob' | 'raw', { project, ref, directory }: TextPlace): string | undefined {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/|[#?]|$)/i.test(target)) return undefined
  // A file that was attached to a text, as the API of uploads names it.
  if (/^\/uploads\/[0-9a-f]{32}\//.test(target)) return projectPath(project, target)
  const [, named = '', query = '', fragment = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(target) ?? []
  const path = resolved(decoded(named), named.startsWith('/') ? '' : directory)
  const page = revisionPage(project, path === '' ? 'tree' : kind, ref, path)
  // The headings of a rendered file have this before their names (`markdownBody`).
  const isHeading = fragment.length > 1 && isMarkdown(path) && !/^#L\d/.test(fragment) && !fragment.startsWith('#user-content-')
  return `${page}${query}${isHeading ? `#user-content-${fragment.slice(1)}` : fragment}`
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    // It has a percent sign of its own.
    return path
  }
}

/** A path with `.` and `..` carried out; nothing leads above the root. */
function resolved(path: string, directory: string): string {
  const segments: string[] = []
  for (const segment of `${directory}/${path}`.split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(segment)
  }
  return segments.join('/')
}

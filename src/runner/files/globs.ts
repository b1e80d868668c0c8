/** Finds files of a working copy by patterns: `*`, `?`, `[a-z]`, `{a,b}`, and `**` for any number of folders. */
import { lstat, readdir } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { RE2JS } from 're2js'
import { compiledPattern } from '../../platform/patterns/patterns.ts'
import { isWithin, placeOf } from './inside.ts'

/**
 * A pattern as a regular expression over paths from the root of the working copy. A folder matches all its contents. RE2, since patterns and paths are those
 * of a job: with some `**` one of Node holds the process, and with it all other jobs, for as long as it likes.
 * @throws Error for a pattern that is none, or too long
 */
export function globExpression(pattern: string): RE2JS {
  let source = ''
  let depth = 0
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at] as string
    if (char === '*' && pattern[at + 1] === '*') {
      at++
      if (pattern[at + 1] === '/') at++
      source += pattern[at] === '/' ? '(?:.*/)?' : '.*'
    } else if (char === '*') source += '[^/]*'
    else if (char === '?') source += '[^/]'
    else if (char === '[') {
      const end = pattern.indexOf(']', at + 2)
      if (end < 0) source += '\\['
      else {
        const set = pattern
          .slice(at + 1, end)
          .replace(/^[!^]/, '^')
          .replaceAll('\\', '\\\\')
        source += `[${set}]`
        at = end
      }
    } else if (char === '{') {
      depth++
      source += '(?:'
    } else if (char === '}' && depth > 0) {
      depth--
      source += ')'
    } else if (char === ',' && depth > 0) source += '|'
    else source += char.replace(/[.+^${}()|\\\]/]/g, '\\$&')
  }
  const expression = compiledPattern(`^${source}${')'.repeat(depth)}(?:/.*)?$`, RE2JS.DOTALL)
  if (!expression) throw new Error(`${pattern} is no pattern of files, or too long`)
  return expression
}

/** A pattern relative to the root of the working copy; undefined for one outside of it. */
export function withinRoot(pattern: string, root: string): string | undefined {
  const relative = pattern.startsWith('/') ? posix.relative(root, pattern) : pattern
  const normal = posix.normalize(relative).replace(/\/$/, '')
  return normal === '..' || normal.startsWith('../') ? undefined : normal
}

/** The deepest folder that contains all possible matches of a pattern. */
function literalPart(pattern: string): string {
  const parts = pattern.split('/')
  const first = parts.findIndex(part => /[*?[{]/.test(part))
  return (first < 0 ? parts : parts.slice(0, first)).join('/')
}

export interface Found {
  readonly files: readonly string[]
  /** Patterns without matches, and patterns outside of the working copy. */
  readonly missing: readonly string[]
}

/**
 * Files and links, relative to the root and sorted; `.git` is excluded. What is behind a link out of the working copy matches nothing. Nothing of the job
 * may run any more.
 */
export async function filesMatching(root: string, patterns: readonly string[], exclude: readonly string[] = []): Promise<Found> {
  const excluded = exclude.flatMap(pattern => withinRoot(pattern, root) ?? []).map(globExpression)
  const files = new Set<string>()
  const missing: string[] = []
  for (const pattern of patterns) {
    const inside = withinRoot(pattern, root)
    const before = files.size
    let seen = false
    if (inside !== undefined) {
      const expression = inside === '.' || inside === '' ? undefined : globExpression(inside)
      for await (const path of filesFrom(root, inside === '.' ? '' : literalPart(inside))) {
        if (expression?.test(path) === false) continue
        seen = true
        if (!excluded.some(each => each.test(path))) files.add(path)
      }
    }
    if (!seen && files.size === before) missing.push(pattern)
  }
  return { files: [...files].sort(), missing }
}

/**
 * The files where a pattern begins. The job may have put a link there, and the runner can read more than the job: what a link out of the working copy leads to
 * is neither listed nor looked for, and the link is found as one.
 */
async function* filesFrom(root: string, start: string): AsyncGenerator<string> {
  const path = join(root, start)
  const real = await placeOf(root)
  if (real === undefined) return
  if (isWithin(await placeOf(path), real)) yield* walk(root, start)
  else if (isWithin(await placeOf(dirname(path)), real) && (await lstat(path).catch(() => undefined))?.isSymbolicLink()) yield start
}

/** All files below a folder; the path itself if it is a file. Links are not followed. */
async function* walk(root: string, start: string): AsyncGenerator<string> {
  const entries = await readdir(join(root, start), { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOTDIR') return undefined
    return []
  })
  if (entries === undefined) {
    const found = await lstat(join(root, start))
    if (found.isFile() || found.isSymbolicLink()) yield start
    return
  }
  for (const entry of entries) {
    const path = start === '' ? entry.name : `${start}/${entry.name}`
    if (path === '.git') continue
    if (entry.isDirectory()) yield* walk(root, path)
    else if (entry.isFile() || entry.isSymbolicLink()) yield path
  }
}

/** Parses the command line that a client sends, as a shell would. Pure. */
import { withoutSlashes } from '../../platform/patterns/slashes.ts'

export const services = ['git-upload-pack', 'git-receive-pack', 'git-upload-archive'] as const
export type SshService = (typeof services)[number]

/** One of git's services on a repository. */
export interface GitCommand {
  readonly service: SshService
  /** Full path of a project, without leading and trailing slashes and without `.git`. */
  readonly path: string
}

/** The request of git-lfs for URL and credentials before it continues over HTTP. */
export interface LfsCommand {
  readonly service: 'git-lfs-authenticate'
  readonly path: string
  readonly operation: 'download' | 'upload'
}

/** Parses `git-upload-pack '/group/project.git'`, `git upload-pack …` or `git-lfs-authenticate path download`; undefined for all else. */
export function parseCommand(line: string): GitCommand | LfsCommand | undefined {
  const words = splitWords(line)
  if (words?.[0] === 'git' && words.length > 1) words.splice(0, 2, `git-${words[1]}`)
  const [name, path, ...rest] = words ?? []
  if (path === undefined) return undefined
  const fullPath = withoutSlashes(path).replace(/\.git$/, '')
  const [operation] = rest
  // Older versions of git-lfs append the id of an object, which is ignored.
  if (name === 'git-lfs-authenticate' && (operation === 'download' || operation === 'upload') && rest.length <= 2)
    return { service: name, path: fullPath, operation }
  const service = services.find(known => known === name)
  return service === undefined || rest.length > 0 ? undefined : { service, path: fullPath }
}

/** Splits a line into words with a shell's quotes; undefined if a quote is not closed. Nothing is expanded. */
export function splitWords(line: string): string[] | undefined {
  const words: string[] = []
  const part = /\s+|'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|([^\s'"\\]+)/y
  let word: string | undefined
  while (part.lastIndex < line.length) {
    const found = part.exec(line)
    if (!found) return undefined
    const [, single, double, escaped, plain] = found
    const text = single ?? double?.replace(/\\([\s\S])/g, '$1') ?? escaped ?? plain
    if (text !== undefined) word = (word ?? '') + text
    else if (word !== undefined) {
      words.push(word)
      word = undefined
    }
  }
  return word === undefined ? words : [...words, word]
}

/** Scenes for the tests of this folder: real repositories in a temporary directory, filled by git itself. */
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CatFilePoolOptions } from './objects/cat-file-pool.ts'
import type { Repository } from './storage/repository.ts'
import { openStorage, type RepositoryStorage } from './storage/storage.ts'

/** A storage of its own, gone when the scene is disposed of (`await using`). */
export interface Scene extends AsyncDisposable {
  readonly directory: string
  readonly storage: RepositoryStorage
  /** A new empty repository with default branch `main`. */
  repository(): Promise<Repository>
}

export async function openScene(readers?: CatFilePoolOptions): Promise<Scene> {
  const directory = await mkdtemp(join(tmpdir(), 'ingot-git-'))
  const storage = openStorage({ name: 'default', root: join(directory, 'repositories'), ...(readers && { readers }) })
  let projects = 0
  return {
    directory,
    storage,
    repository: () => {
      projects += 1
      return storage.create(projects, { defaultBranch: 'main' })
    },
    async [Symbol.asyncDispose]() {
      await storage.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

const environment = {
  PATH: '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
  LC_ALL: 'C.UTF-8',
}

/** What git itself says: the reference that results are compared with. Without the last line end. */
export function git(where: Repository | string, args: readonly string[], input?: string | Buffer): string {
  const cwd = typeof where === 'string' ? where : where.path
  return execFileSync('git', ['-c', 'core.quotePath=false', ...args], {
    cwd,
    env: environment,
    input: input ?? '',
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'pipe'],
    maxBuffer: 256 * 1024 * 1024,
  }).replace(/\n$/, '')
}

/** One commit for `importCommits`; `files` are set (a string or bytes), deleted (null), or set with a mode. */
export interface ImportedCommit {
  readonly message?: string
  readonly files?: Readonly<Record<string, string | Buffer | null | { readonly mode: string; readonly content: string }>>
  readonly author?: string
  /** Seconds and zone: `1622541600 +0200`. */
  readonly date?: string
}

/** Puts commits on a branch with `git fast-import`, on top of what is there; returns the new head. */
export function importCommits(repository: Repository, branch: string, commits: Iterable<ImportedCommit>, from?: string): string {
  const chunks: (string | Buffer)[] = []
  let first = true
  let index = 0
  const data = (content: string | Buffer) => {
    chunks.push(`data ${Buffer.byteLength(content)}\n`, content, '\n')
  }
  const existing = from ?? existingHead(repository, branch)
  for (const { message, files = {}, author = 'Ada <ada@example.com>', date } of commits) {
    const when = date ?? `${1_600_000_000 + index * 60} +0000`
    chunks.push(`commit refs/heads/${branch}\nauthor ${author} ${when}\ncommitter ${author} ${when}\n`)
    data(message ?? `Commit ${index}`)
    if (first && existing !== undefined) chunks.push(`from ${existing}\n`)
    for (const [path, file] of Object.entries(files)) {
      const name = /[\n"]/.test(path) ? `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"` : path
      if (file === null) chunks.push(`D ${name}\n`)
      else {
        const { mode, content } = typeof file === 'object' && 'mode' in file ? file : { mode: '100644', content: file }
        if (mode === '160000') chunks.push(`M ${mode} ${content} ${name}\n`)
        else {
          chunks.push(`M ${mode} inline ${name}\n`)
          data(content)
        }
      }
    }
    first = false
    index += 1
  }
  git(
    repository,
    ['fast-import', '--quiet', '--date-format=raw-permissive', '--force'],
    Buffer.concat(chunks.map(chunk => Buffer.from(chunk))),
  )
  return git(repository, ['rev-parse', `refs/heads/${branch}`])
}

function existingHead(repository: Repository, branch: string): string | undefined {
  const line = git(repository, ['for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`])
  return line === '' ? undefined : line
}

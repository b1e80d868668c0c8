/** What a move of references would bring: commits that no branch and no tag has yet, and the files that they add or change. */
import { GitError } from '../errors.ts'
import { type Commit, parseCommit } from '../objects/commit-object.ts'
import { emptyTreeId, type ObjectId } from '../objects/oid.ts'
import { type GitProcess, runGit, startGit } from '../process/run.ts'
import { decodeText } from '../process/text.ts'
import type { Repository } from '../storage/repository.ts'

/** Where objects are that the repository does not have yet; the environment of git. */
export type Held = Readonly<Record<string, string>>

/** A commit that is new, and whether it has a signature of whatever kind. */
export interface IncomingCommit extends Commit {
  readonly isSigned: boolean
}

/** A file that a commit adds or changes. */
export interface IncomingFile {
  readonly path: string
  readonly blob: ObjectId
  /** None of the commit's parents has it. */
  readonly isNew: boolean
}

/** The new commits, newest first, as git writes them; the consumer may stop. */
export async function* incomingCommits(repository: Repository, tips: readonly ObjectId[], held: Held = {}): AsyncGenerator<IncomingCommit> {
  const git = await startGit(repository, {
    subcommand: 'rev-list',
    flags: ['--header', '--not', '--branches', '--tags', '--not'],
    values: tips,
    environment: held,
  })
  git.stdin.end()
  try {
    let parts: Buffer[] = []
    for await (const chunk of git.stdout as AsyncIterable<Buffer>) {
      let start = 0
      for (let end = chunk.indexOf(0); end >= 0; start = end + 1, end = chunk.indexOf(0, start)) {
        yield commitOf(Buffer.concat([...parts, chunk.subarray(start, end)]))
        parts = []
      }
      if (start < chunk.length) parts.push(chunk.subarray(start))
    }
    await git.done
  } finally {
    git.kill()
    git.stdout.destroy()
  }
}

/** `<id>\n` and the object, whose message git has indented. */
function commitOf(record: Buffer): IncomingCommit {
  const id = record.subarray(0, 40).toString('latin1')
  const text = record.subarray(record.indexOf(10) + 1)
  const blank = text.indexOf('\n\n')
  const head = blank < 0 ? text : text.subarray(0, blank)
  const message =
    blank < 0
      ? ''
      : text
          .subarray(blank + 2)
          .toString('latin1')
          .replace(/^ {4}/gm, '')
  const commit = parseCommit(id, Buffer.concat([head, Buffer.from('\n\n'), Buffer.from(message, 'latin1')]))
  return { ...commit, isSigned: /^gpgsig/m.test(head.toString('latin1')) }
}

/** The files that these commits add or change; of a merge, those in which it differs from all of its parents. The consumer may stop. */
export async function* incomingFiles(repository: Repository, commits: readonly ObjectId[], held: Held = {}): AsyncGenerator<IncomingFile> {
  const git = await startGit(repository, {
    subcommand: 'diff-tree',
    flags: ['--stdin', '--root', '-r', '-c', '--no-renames', '--raw', '-z', '--no-abbrev', '--no-commit-id'],
    environment: held,
  })
  git.stdin.on('error', () => {})
  git.stdin.end(`${commits.join('\n')}\n`)
  yield* filesFrom(git)
}

/**
 * The paths that these commits add, change or delete; of a merge, those in which it differs from all of its parents. A path comes once for each commit. The
 * consumer may stop.
 */
export async function* incomingPaths(repository: Repository, commits: readonly ObjectId[], held: Held = {}): AsyncGenerator<string> {
  const git = await startGit(repository, {
    subcommand: 'diff-tree',
    flags: ['--stdin', '--root', '-r', '-c', '--no-renames', '--name-only', '-z', '--no-commit-id'],
    environment: held,
  })
  git.stdin.on('error', () => {})
  git.stdin.end(`${commits.join('\n')}\n`)
  try {
    let rest = ''
    for await (const chunk of git.stdout as AsyncIterable<Buffer>) {
      const names = (rest + chunk.toString('latin1')).split('\0')
      rest = names.pop() as string
      for (const name of names) if (name !== '') yield decodeText(Buffer.from(name, 'latin1'))
    }
    await git.done
  } finally {
    git.kill()
    git.stdout.destroy()
  }
}

/** All files of a commit. The consumer may stop. */
export async function* filesOfCommit(repository: Repository, commit: ObjectId, held: Held = {}): AsyncGenerator<IncomingFile> {
  const git = await startGit(repository, {
    subcommand: 'diff-tree',
    flags: ['-r', '--no-renames', '--raw', '-z', '--no-abbrev'],
    values: [emptyTreeId, commit],
    environment: held,
  })
  git.stdin.end()
  yield* filesFrom(git)
}

/** What `diff-tree --raw -z` prints. */
async function* filesFrom(git: GitProcess): AsyncGenerator<IncomingFile> {
  try {
    let rest = ''
    let head: string | undefined
    for await (const chunk of git.stdout as AsyncIterable<Buffer>) {
      // Bytes as characters, so that each name can be decoded by itself.
      const items = (rest + chunk.toString('latin1')).split('\0')
      rest = items.pop() as string
      for (const item of items) {
        if (head === undefined) {
          if (item.startsWith(':')) head = item
          continue
        }
        const found = fileOf(head, decodeText(Buffer.from(item, 'latin1')))
        head = undefined
        if (found) yield found
      }
    }
    await git.done
  } finally {
    git.kill()
    git.stdout.destroy()
  }
}

/** `:100644 100644 <id> <id> M`, of a merge with as many colons as parents. Undefined for what is deleted, and for submodules. */
function fileOf(head: string, path: string): IncomingFile | undefined {
  const parents = /^:+/.exec(head)?.[0].length ?? 1
  const words = head.slice(parents).split(' ')
  const [mode, blob, status = ''] = [words[parents], words[2 * parents + 1], words[2 * parents + 2]]
  if (blob === undefined || /^0+$/.test(blob) || mode === '160000') return undefined
  return { path, blob, isNew: /^A+$/.test(status) }
}

/** The sizes of these blobs in bytes, in one process. */
export async function sizesOf(repository: Repository, blobs: readonly ObjectId[], held: Held = {}): Promise<Map<ObjectId, number>> {
  if (blobs.length === 0) return new Map()
  const { stdout } = await runGit(repository, {
    subcommand: 'cat-file',
    flags: ['--batch-check=%(objectname) %(objectsize)'],
    input: `${blobs.join('\n')}\n`,
    environment: held,
    maxOutputBytes: 100 * blobs.length + 1_000,
  })
  return new Map(
    stdout
      .toString('latin1')
      .trimEnd()
      .split('\n')
      .map(line => {
        const [id = '', size] = line.split(' ')
        if (!Number.isFinite(Number(size))) throw new GitError('corrupt', `Blob ${id} is missing`)
        return [id, Number(size)]
      }),
  )
}

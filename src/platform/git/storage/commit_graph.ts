/** The index of a repository's history: with it, git finds the last commit of a path some eight times as fast. */
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { runGit } from '../process/run.ts'
import type { Repository } from './repository.ts'

/** So many commits without the index make walks noticeably slower. */
const MOST_OUTSIDE = 1_000

/** Is it time for `indexHistory`? @param commits as many as the default branch has */
export async function needsHistoryIndex(repository: Pick<Repository, 'path'>, commits: number): Promise<boolean> {
  if (commits <= MOST_OUTSIDE) return false
  const inside = await commitsInIndex(repository)
  // The more there are, the less those outside matter, and the longer the index takes to write.
  return commits - inside > Math.max(MOST_OUTSIDE, inside / 10)
}

/** Writes the index of all commits that references reach. What the index had of paths is used again. Safe while the repository is read and written. */
export async function indexHistory(repository: Repository): Promise<void> {
  await runGit(repository, { subcommand: 'commit-graph', flags: ['write', '--reachable', '--changed-paths', '--no-progress'] })
}

/** How many commits the index has; 0 without one. Reads its head and one number. Source of the format: git's `gitformat-commit-graph`. */
async function commitsInIndex({ path }: Pick<Repository, 'path'>): Promise<number> {
  let file: FileHandle
  try {
    file = await open(join(path, 'objects', 'info', 'commit-graph'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw error
  }
  try {
    // Signature, three versions and counts, then a table of chunks: a name of four bytes and an offset of eight.
    const head = await read(file, 0, 8)
    const table = await read(file, 8, 12 * (head[6] ?? 0))
    const at = table.indexOf('OIDF')
    if (head.toString('latin1', 0, 4) !== 'CGPH' || at < 0 || at % 12 !== 0) return 0
    // The last of 256 numbers counts all commits.
    const count = await read(file, Number(table.readBigUInt64BE(at + 4)) + 255 * 4, 4)
    return count.length === 4 ? count.readUInt32BE() : 0
  } finally {
    await file.close()
  }
}

async function read(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}

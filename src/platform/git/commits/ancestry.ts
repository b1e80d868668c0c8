/** How the commits of a history hang together. */
import { type ObjectId, objectId } from '../objects/oid.ts'
import { runGit } from '../process/run.ts'
import type { Repository } from '../storage/repository.ts'

/** A commit and its parents, each once. */
export interface Descent {
  readonly id: ObjectId
  readonly parents: readonly ObjectId[]
}

/** Commits that are cut from the output of git between two other tasks. */
const CHUNK = 1_000

/**
 * The newest `limit` commits that some lead to, in chunks: no parent before its children, and what was written on one branch together. One process.
 */
export async function* descentOf(repository: Repository, tips: readonly ObjectId[], limit: number): AsyncGenerator<readonly Descent[]> {
  const { stdout } = await runGit(repository, {
    subcommand: 'rev-list',
    flags: ['--topo-order', '--parents', `--max-count=${limit}`, '--stdin'],
    input: tips.map(tip => `${objectId(tip)}\n`).join(''),
  })
  const lines = stdout.toString('latin1').split('\n').slice(0, -1)
  for (let start = 0; start < lines.length; start += CHUNK) {
    yield lines.slice(start, start + CHUNK).map(line => {
      const [id, ...parents] = line.split(' ') as [ObjectId, ...ObjectId[]]
      return { id, parents: [...new Set(parents)] }
    })
  }
}

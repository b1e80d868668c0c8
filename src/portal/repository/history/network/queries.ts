/** Reads of the graph of commits. */
import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  descentOf,
  ImmutableCache,
  listBranches,
  listTags,
  type ObjectId,
  objectInfo,
  type Repository,
} from '../../../../platform/git/index.ts'
import { Lanes } from './lanes.ts'

/** Commits that a graph has. */
export const MOST_COMMITS = 10_000

/** A branch or a tag. */
export interface NamedCommit {
  readonly type: 'branch' | 'tag'
  readonly name: string
}

/** The branches and tags of a repository, by the commit that they name. */
export async function namesOfCommits(repository: Repository): Promise<ReadonlyMap<ObjectId, readonly NamedCommit[]>> {
  const [branches, tags] = await Promise.all([listBranches(repository), listTags(repository)])
  const named = new Map<ObjectId, NamedCommit[]>()
  const add = (type: NamedCommit['type'], { name, commit }: { readonly name: string; readonly commit: ObjectId }) => {
    const names = named.get(commit)
    if (names) names.push({ type, name })
    else named.set(commit, [{ type, name }])
  }
  for (const branch of branches) add('branch', branch)
  // A tag may name a tree or a file.
  const targets = await objectInfo(
    repository,
    tags.map(({ commit }) => commit),
  )
  for (const [index, tag] of tags.entries()) if (targets[index]?.type === 'commit') add('tag', tag)
  return named
}

/** Each has up to 10,000 commits, some 2 MB. */
const graphs = new ImmutableCache<Lanes>(12)

/** The graph of the newest commits that some lead to: one walk for all of its pages. */
export function graphOf(repository: Repository, tips: readonly ObjectId[]): Promise<Lanes> {
  const all = [...new Set(tips)].sort()
  return graphs.get(createHash('sha256').update(all.join(' ')).digest('hex'), async () => {
    const graph = new Lanes()
    for await (const commits of descentOf(repository, all, MOST_COMMITS)) {
      for (const commit of commits) graph.add(commit)
      await nextTurn()
    }
    return graph
  })
}

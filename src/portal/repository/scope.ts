/** Scopes of the pages about a revision of a repository: `/-/tree/feature/x/src/main.ts` names a revision and a path, both with slashes. */
import { inRepositoryPage } from '../../code/repository/scope.ts'
import { entryAt, type ObjectId, type Repository, resolveCommits } from '../../platform/git/index.ts'
import { within } from '../../platform/kernel/declaration/scope.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { beginningsOf } from './addresses.ts'

/** A revision and a path in it, as an address names them. */
export interface RevisionPath {
  /** As in the address: a branch, tag or commit. */
  readonly ref: string
  readonly commit: ObjectId
  /** Without slashes around; empty for the root. */
  readonly path: string
}

/** A file of a revision, as `inFilePage` loads it. */
export interface FileOfRevision {
  readonly repository: Repository
  readonly revision: RevisionPath
  readonly blobId: ObjectId
}

/**
 * Splits `feature/x/src/main.ts` where a revision ends: the longest beginning that is one. Undefined if none is.
 * One reading of references, however many segments.
 */
export async function splitRevision(repository: Repository, named: string): Promise<RevisionPath | undefined> {
  const beginnings = beginningsOf(named)
  const commits = await resolveCommits(
    repository,
    beginnings.map(({ ref }) => ref),
  )
  const last = commits.findLastIndex(commit => commit !== undefined)
  const [commit, found] = [commits[last], beginnings[last]]
  return commit === undefined || found === undefined ? undefined : { ...found, commit }
}

/** `*revision_path` becomes a revision of the repository and a path in it, or 404. */
export const inRevisionPage = within(inRepositoryPage, {
  name: 'inRevisionPage',
  path: { revision_path: text('A branch, tag or commit, and the path of a file or directory after it', { maxLength: 8192 }) },
  async load({ repository }, { revision_path }) {
    const revision = repository && (await splitRevision(repository, revision_path))
    if (!repository || !revision) throw notFound('Revision')
    return { repository, revision }
  },
})

/** `*revision_path` becomes a file of a revision, or 404. */
export const inFilePage = within(inRevisionPage, {
  name: 'inFilePage',
  path: {},
  async load({ repository, revision }) {
    const entry = await entryAt(repository, revision.commit, revision.path)
    if (entry?.type !== 'blob') throw notFound('File')
    return { blobId: entry.id }
  },
})

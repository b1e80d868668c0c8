import { entryAt, ImmutableCache, pathParts, type Repository, resolveCommit } from '../../../platform/git/index.ts'
import { invalid, notFound } from '../../../platform/kernel/errors.ts'
import type { FileAt } from './queries.ts'

/** What is at a path of a commit. Asked only of commits that the repository has, for a commit has the same files in every repository. */
const entries = new ImmutableCache<Awaited<ReturnType<typeof entryAt>>>(5_000)

/** Characters of a path that is remembered. */
const LONGEST_PATH = 500

/** The file at a path of a revision; 404 for an unknown revision or file. No process is started. */
export async function findFile(repository: Repository | undefined, ref: string, path: string): Promise<FileAt> {
  requirePath(path)
  const commitId = repository && (await resolveCommit(repository, ref))
  if (!repository || !commitId) throw notFound('Commit')
  const ask = () => entryAt(repository, commitId, path)
  const entry = await (path.length > LONGEST_PATH ? ask() : entries.get(`${commitId}:${path}`, ask))
  if (entry?.type !== 'blob') throw notFound('File')
  return { repository, path, ref, blobId: entry.id, commitId }
}

/** 400 for an invalid path. */
export function requirePath(path: string): void {
  if (!pathParts(path)) throw invalid({ file_path: ['should be a valid file path'] })
}

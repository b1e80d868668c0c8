import { entryAt, pathParts, type Repository, resolveCommit } from '../../../platform/git/index.ts'
import { invalid, notFound } from '../../../platform/kernel/errors.ts'
import type { FileAt } from './queries.ts'

/** The file at a path of a revision; 404 for an unknown revision or file. No process is started. */
export async function findFile(repository: Repository | undefined, ref: string, path: string): Promise<FileAt> {
  requirePath(path)
  const commitId = repository && (await resolveCommit(repository, ref))
  if (!repository || !commitId) throw notFound('Commit')
  const entry = await entryAt(repository, commitId, path)
  if (entry?.type !== 'blob') throw notFound('File')
  return { repository, path, ref, blobId: entry.id, commitId }
}

/** 400 for an invalid path. */
export function requirePath(path: string): void {
  if (!pathParts(path)) throw invalid({ file_path: ['should be a valid file path'] })
}

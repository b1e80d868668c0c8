/** The files of a revision as an archive, for the API and for the page of a project. */
import { Readable } from 'node:stream'
import { archiveFormats, canArchive, streamArchive } from '../git/archive.ts'
import { resolveCommit } from '../git/objects/objects.ts'
import type { Repository } from '../git/repository.ts'
import { entryAt } from '../git/trees/trees.ts'
import { invalid, notFound, Refusal } from '../kernel/errors.ts'
import type { ProjectRow } from '../projects/queries.ts'
import { contentDisposition } from './disposition.ts'

export interface ArchiveRequest {
  readonly sha?: string | undefined
  readonly path?: string | undefined
  readonly format: string
}

/** The files of a revision, packed while they are read: constant memory. */
export async function archive(project: ProjectRow, repository: Repository | undefined, { sha, path: given, format: name }: ArchiveRequest) {
  const format = archiveFormats.get(name)
  if (!format) throw invalid({ format: ['does not have a valid value'] })
  const ref = sha || project.default_branch || 'HEAD'
  const commit = repository && (await resolveCommit(repository, ref))
  const path = given?.replace(/^\/+|\/+$/g, '')
  if (!repository || !commit || (path && !(await entryAt(repository, commit, path)))) throw notFound('File')
  if (!(await canArchive(repository, format))) throw new Refusal('not_acceptable', { message: '406 Not Acceptable' })
  const flat = (text: string) => text.replaceAll('/', '-')
  // Contract: the commit's id is left out where it is the revision that was asked for (repositories API).
  const prefix = [project.path, flat(ref), ...(ref === commit ? [] : [commit]), ...(path ? [flat(path)] : [])].join('-')
  return {
    body: Readable.from(streamArchive(repository, { commit, format, prefix, path })),
    headers: {
      'content-type': format === 'zip' ? 'application/zip' : 'application/octet-stream',
      'content-disposition': contentDisposition('attachment', `${prefix}.${format}`),
    },
  }
}

/** The raw contents of the files of snippets. */
import { nameOf, rawBlob } from '../../code/repository/files/queries.ts'
import { entryAt, objectInfo, pathParts, readBlob, resolveCommit } from '../../platform/git/index.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import type { ByteAnswer } from '../../platform/kernel/declaration/endpoint.ts'
import { invalid, notFound } from '../../platform/kernel/errors.ts'
import type { SnippetRow } from './queries.ts'
import { repositoryOf, tipOf } from './repository.ts'

/** A file of a snippet at a revision; 404 for an unknown revision or file. */
export async function rawFile(deps: Deps, snippet: SnippetRow, ref: string, path: string): Promise<ByteAnswer> {
  if (!pathParts(path)) throw invalid({ file_path: ['should be a valid file path'] })
  const repository = await repositoryOf(deps, snippet)
  const commit = repository && (await resolveCommit(repository, ref))
  if (!repository || !commit) throw notFound('Reference')
  const entry = await entryAt(repository, commit, path)
  if (entry?.type !== 'blob') throw notFound('File')
  return rawBlob(repository, entry.id, nameOf(path))
}

/** The first file of a snippet; empty where it has none. */
export async function firstFile(deps: Deps, snippet: SnippetRow): Promise<ByteAnswer> {
  const [path] = snippet.file_paths
  return path === undefined ? { body: '' } : rawFile(deps, snippet, snippet.default_branch, path)
}

/** Bytes of a file that pages and hooks show. */
const SHOWN = 1024 * 1024

/** A file of a snippet as pages and hooks show it: undefined where it is larger than what is shown. */
export interface FileContents {
  readonly path: string
  /** ID of its blob. */
  readonly id: string
  /** In bytes. */
  readonly size: number
  readonly content: Buffer | undefined
}

/** The files at the tip of a snippet, with their contents. */
export async function contentsOf(deps: Deps, snippet: SnippetRow, paths: readonly string[] = snippet.file_paths): Promise<FileContents[]> {
  const repository = await repositoryOf(deps, snippet)
  const commit = repository && (await tipOf(repository, snippet))
  if (!repository || !commit) return []
  const files: FileContents[] = []
  for (const path of paths) {
    const entry = await entryAt(repository, commit, path)
    const [info] = entry?.type === 'blob' ? await objectInfo(repository, [entry.id]) : []
    if (!entry || !info) continue
    files.push({
      path,
      id: entry.id,
      size: info.size,
      content: info.size > SHOWN ? undefined : await readBlob(repository, entry.id, SHOWN),
    })
  }
  return files
}

/** The text of the first file; empty where there is none, or where it is no text or too long. */
export async function firstText(deps: Deps, snippet: SnippetRow): Promise<string> {
  const [file] = await contentsOf(deps, snippet, snippet.file_paths.slice(0, 1))
  const text = file?.content?.toString('utf8') ?? ''
  return text.includes('\0') ? '' : text
}

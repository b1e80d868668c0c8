/** A file as JSON and as headers (repository files API at 14.0). */
import Type from 'typebox'
import type { BlamePart } from '../../../platform/git/commits/blame.ts'
import { entity, plain } from '../../../platform/kernel/answer/entity.ts'
import { DateTime } from '../../../platform/kernel/types.ts'
import { type FileContents, type FileFacts, nameOf } from './queries.ts'

export const RepositoryFile = entity({
  name: 'RepositoryFile',
  schema: Type.Object({
    file_name: Type.String(),
    file_path: Type.String(),
    size: Type.Integer({ description: 'In bytes' }),
    encoding: Type.Literal('base64'),
    content_sha256: Type.String(),
    ref: Type.String(),
    blob_id: Type.String(),
    commit_id: Type.String(),
    last_commit_id: Type.String(),
    content: Type.String(),
  }),
  present: (file: FileContents) => ({
    file_name: nameOf(file.path),
    file_path: file.path,
    size: file.size,
    encoding: 'base64' as const,
    content_sha256: file.sha256,
    ref: file.ref,
    blob_id: file.blobId,
    commit_id: file.commitId,
    last_commit_id: file.lastCommitId,
    content: file.content.toString('base64'),
  }),
})

/** The headers of GET and HEAD of a file. Names and paths are encoded, since headers are ASCII. */
export const fileHeaders = (file: FileFacts): Record<string, string> => ({
  'x-gitlab-blob-id': file.blobId,
  'x-gitlab-commit-id': file.commitId,
  'x-gitlab-content-sha256': file.sha256,
  'x-gitlab-encoding': 'base64',
  'x-gitlab-file-name': headerText(nameOf(file.path)),
  'x-gitlab-file-path': headerText(file.path),
  'x-gitlab-last-commit-id': file.lastCommitId,
  'x-gitlab-ref': headerText(file.ref),
  'x-gitlab-size': String(file.size),
})

/** Percent-encodes the characters that a header cannot contain, and no others. */
const headerText = (text: string): string => text.toWellFormed().replace(/[^\x20-\x7e]+/g, encodeURIComponent)

/** The response of a write of a file. */
export const WrittenFile = plain('WrittenFile', Type.Object({ file_path: Type.String(), branch: Type.String() }))

export const Blame = entity({
  name: 'Blame',
  schema: Type.Object({
    commit: Type.Object({
      id: Type.String(),
      parent_ids: Type.Array(Type.String()),
      message: Type.String(),
      authored_date: DateTime(),
      author_name: Type.String(),
      author_email: Type.String(),
      committed_date: DateTime(),
      committer_name: Type.String(),
      committer_email: Type.String(),
    }),
    lines: Type.Array(Type.String()),
  }),
  present: ({ commit, lines }: BlamePart) => ({
    commit: {
      id: commit.id,
      parent_ids: [...commit.parent_ids],
      message: commit.message,
      authored_date: commit.author.date,
      author_name: commit.author.name,
      author_email: commit.author.email,
      committed_date: commit.committer.date,
      committer_name: commit.committer.name,
      committer_email: commit.committer.email,
    },
    lines: [...lines],
  }),
})

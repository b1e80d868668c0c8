/** A file as JSON and as headers (repository files API at 14.0). */
import Type from 'typebox'
import type { BlamePart } from '../../../platform/git/index.ts'
import { entity, plain } from '../../../platform/kernel/answer/entity.ts'
import { DateTime, described, integer, text } from '../../../platform/kernel/declaration/types.ts'
import { type FileContents, type FileFacts, nameOf } from './queries.ts'

export const RepositoryFile = entity({
  name: 'RepositoryFile',
  schema: Type.Object({
    file_name: text('Name of the file'),
    file_path: text('Path of the file in the repository'),
    size: integer('In bytes'),
    encoding: described('Encoding of the content, `base64`', Type.Literal('base64')),
    content_sha256: text('SHA-256 of the content, hexadecimal'),
    ref: text('Name of the branch, tag or commit'),
    blob_id: text('ID of the git blob'),
    commit_id: text('ID of the commit'),
    last_commit_id: text('ID of the last commit that changed the file'),
    content: text('Content in the encoding'),
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
export const WrittenFile = plain(
  'WrittenFile',
  Type.Object({ file_path: text('Path of the file in the repository'), branch: text('Name of the branch') }),
)

export const Blame = entity({
  name: 'Blame',
  schema: Type.Object({
    commit: described(
      'The commit that last changed the lines',
      Type.Object({
        id: text('ID of the commit'),
        parent_ids: described('IDs of the parents', Type.Array(Type.String())),
        message: text('Message of the commit'),
        authored_date: DateTime('When the change was written'),
        author_name: text('Name of the author'),
        author_email: text('Email address of the author'),
        committed_date: DateTime('When the commit was made'),
        committer_name: text('Name of the committer'),
        committer_email: text('Email address of the committer'),
      }),
    ),
    lines: described('Lines of the file', Type.Array(Type.String())),
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

/** Files (repository files API at 14.0). */
import Type from 'typebox'
import { blame } from '../../../platform/git/index.ts'
import { slicesOf } from '../../../platform/kernel/answer/page.ts'
import { bytes, endpoint, nothing, one, pageOf } from '../../../platform/kernel/declaration/endpoint.ts'
import { flag, optional, text } from '../../../platform/kernel/declaration/types.ts'
import { pushing } from '../../protected_branches/collaboration.ts'
import { decodeContent, Encoding, MAX_BODY } from '../commits/actions.ts'
import { createCommit } from '../commits/commands.ts'
import { Commit } from '../commits/entity.ts'
import { inRepository } from '../scope.ts'
import { writeFile } from './commands.ts'
import { Blame, fileHeaders, RepositoryFile, WrittenFile } from './entity.ts'
import { findFile, requirePath } from './find.ts'
import { fileContents, fileFacts, nameOf, rawBlob } from './queries.ts'
import { inFilePath } from './scope.ts'

const Ref = text('A branch, tag or commit', { minLength: 1, maxLength: 1024, examples: ['main'] })

export const getFile = endpoint({
  route: 'GET /projects/:id/repository/files/:file_path',
  cost: 'walk',
  summary: 'Get a file with its content',
  scope: inFilePath,
  can: 'read_code',
  scopes: ['read_repository'],
  params: { ref: Ref },
  answers: one(RepositoryFile, undefined, fileHeaders),
  run: async ctx => fileContents(ctx, await findFile(ctx.repository, ctx.params.ref, ctx.path)),
})

export const getRawFile = endpoint({
  route: 'GET /projects/:id/repository/files/:file_path/raw',
  summary: 'Get the raw content of a file',
  scope: inFilePath,
  can: 'read_code',
  cost: 'walk',
  scopes: ['read_repository'],
  params: { ref: Type.Optional(Ref) },
  answers: bytes('text/plain'),
  errors: ['not_modified'],
  run: async ({ project, repository, path, params }) => {
    const file = await findFile(repository, params.ref ?? project.default_branch ?? 'HEAD', path)
    const [facts, raw] = await Promise.all([fileFacts(file), rawBlob(file.repository, file.blobId, nameOf(path))])
    return { ...raw, headers: { ...raw.headers, ...fileHeaders(facts) } }
  },
})

export const getFileBlame = endpoint({
  route: 'GET /projects/:id/repository/files/:file_path/blame',
  summary: 'Get the blame of a file',
  scope: inFilePath,
  can: 'read_code',
  cost: 'heavy',
  scopes: ['read_repository'],
  params: { ref: Ref },
  answers: pageOf(Blame),
  errors: ['too_large'],
  run: async ({ repository, path, params }) => {
    const file = await findFile(repository, params.ref, path)
    return slicesOf(await blame(file.repository, file.commitId, path))
  },
})

const commitParams = {
  branch: text('The branch to commit to', { minLength: 1, maxLength: 255, examples: ['main'] }),
  commit_message: text('Message of the commit', { minLength: 1, examples: ['Change a file'] }),
  start_branch: optional(text('The branch to start from', { minLength: 1, maxLength: 255 })),
  author_email: optional(text('Email address of the author', { maxLength: 255 })),
  author_name: optional(text('Name of the author', { maxLength: 255 })),
}
const contentParams = {
  ...commitParams,
  content: text('Content of the file', { examples: ['An example'] }),
  encoding: Encoding,
}
const lastCommitId = optional(text('Refuse if the file has changed since this commit'))

export const createFile = endpoint({
  route: 'POST /projects/:id/repository/files/:file_path',
  summary: 'Create a file in a commit of its own',
  scope: pushing(inFilePath),
  can: 'push_to_branch',
  writes: 'own',
  bodyLimit: MAX_BODY,
  params: { ...contentParams, execute_filemode: optional(flag('Whether the file is executable')) },
  answers: one(WrittenFile),
  run: ctx => {
    const { content, encoding, execute_filemode = false, ...commit } = ctx.params
    const action = { action: 'create', file_path: ctx.path, content: decodeContent(content, encoding), execute_filemode } as const
    return writeFile(ctx, ctx.project, action, commit)
  },
})

export const updateFile = endpoint({
  route: 'PUT /projects/:id/repository/files/:file_path',
  summary: 'Change a file in a commit of its own',
  scope: pushing(inFilePath),
  can: 'push_to_branch',
  cost: 'walk', // Of `last_commit_id`.
  writes: 'own',
  bodyLimit: MAX_BODY,
  params: { ...contentParams, last_commit_id: lastCommitId },
  answers: one(WrittenFile),
  run: ctx => {
    const { content, encoding, last_commit_id, ...commit } = ctx.params
    const guard = last_commit_id ? { last_commit_id } : {}
    return writeFile(
      ctx,
      ctx.project,
      { action: 'update', file_path: ctx.path, content: decodeContent(content, encoding), ...guard },
      commit,
    )
  },
})

export const deleteFile = endpoint({
  route: 'DELETE /projects/:id/repository/files/:file_path',
  summary: 'Delete a file in a commit of its own',
  scope: pushing(inFilePath),
  can: 'push_to_branch',
  cost: 'walk', // Of `last_commit_id`.
  writes: 'own',
  params: { ...commitParams, last_commit_id: lastCommitId },
  answers: nothing,
  run: async ctx => {
    const { last_commit_id, ...commit } = ctx.params
    const guard = last_commit_id ? { last_commit_id } : {}
    await writeFile(ctx, ctx.project, { action: 'delete', file_path: ctx.path, ...guard }, commit)
  },
})

export const updateSubmodule = endpoint({
  route: 'PUT /projects/:id/repository/submodules/:submodule',
  summary: 'Let a submodule name another commit, in a commit of its own',
  scope: pushing(inRepository),
  can: 'push_to_branch',
  writes: 'own',
  params: {
    submodule: text('URL-encoded path of the submodule', { minLength: 1, maxLength: 4096, examples: ['vendor'] }),
    branch: text('The branch to commit to', { minLength: 1, maxLength: 255, examples: ['main'] }),
    commit_sha: text('The whole ID of the commit of the submodule', {
      pattern: '^[0-9a-f]{40}$',
      examples: ['3ddec28ea23acc5caa5d8331a6ecb2a65fc03e88'],
    }),
    commit_message: optional(text('Message of the commit', { minLength: 1 })),
  },
  answers: one(Commit),
  run: ctx => {
    const { submodule, branch, commit_sha, commit_message } = ctx.params
    requirePath(submodule)
    return createCommit(ctx, ctx.project, {
      branch,
      commit_message: commit_message ?? `Update submodule ${submodule} with oid ${commit_sha}`,
      actions: [{ action: 'submodule', file_path: submodule, commit: commit_sha }],
    })
  },
})

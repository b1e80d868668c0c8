/** Endpoints of snippets: personal ones by `/snippets`, those of projects below the project (snippets and project snippets API at 14.0). */
import { MAX_BODY } from '../../code/repository/commits/actions.ts'
import { UserAgentDetail } from '../../identity/users/activity/user_agent.ts'
import { inSelf } from '../../identity/users/scope.ts'
import { bytes, endpoint, nothing, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { DateTime, described, optional, text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { createSnippet, removeSnippet, updateSnippet } from './commands.ts'
import { firstFile, rawFile } from './contents.ts'
import { Snippet } from './entity.ts'
import { createParams, createRules, updateParams, updateRules, Visibility } from './params.ts'
import { allSnippets, publicSnippets, type SnippetRow, snippetsBy, snippetsOf } from './queries.ts'
import { inAnySnippet, inOwnSnippet, inProjectSnippet, inSnippet, inSnippets } from './scope.ts'

const fileParams = {
  ref: text('A branch, tag or commit', { minLength: 1, maxLength: 1024, examples: ['main'] }),
  file_path: text('URL-encoded path of a file', { minLength: 1, maxLength: 4096, examples: ['prune.sh'] }),
}

/** Where a snippet came from. 404 where its request left no address. */
function userAgentOf({ user_agent, ip_address }: SnippetRow) {
  if (ip_address === null) throw notFound('UserAgentDetail')
  // This server never reports users to Akismet.
  return { user_agent, ip_address, akismet_submitted: false }
}

export const listSnippets = endpoint({
  route: 'GET /snippets',
  summary: 'List the snippets of the caller',
  scope: inSelf,
  can: 'update_own',
  answers: pageOf(Snippet),
  run: ({ db, actor, user }) => snippetsBy(db, actor, user.id),
})

export const listPublicSnippets = endpoint({
  route: 'GET /snippets/public',
  summary: 'List the personal snippets that are public',
  scope: inInstance,
  can: 'read_instance',
  answers: pageOf(Snippet),
  run: ({ db }) => publicSnippets(db),
})

export const listAllSnippets = endpoint({
  route: 'GET /snippets/all',
  summary: 'List the snippets that the caller may see, of projects too',
  scope: inInstance,
  can: 'use_instance',
  params: {
    created_after: optional(DateTime('Only snippets made at or after this instant')),
    created_before: optional(DateTime('Only snippets made before this instant')),
  },
  answers: pageOf(Snippet),
  run: ({ db, actor, params }) => allSnippets(db, actor, { after: params.created_after, before: params.created_before }),
})

export const getSnippet = endpoint({
  route: 'GET /snippets/:id',
  summary: 'Get a snippet',
  scope: inSnippet,
  can: 'read_instance',
  answers: one(Snippet),
  run: ({ snippet }) => snippet,
})

export const getRawSnippet = endpoint({
  route: 'GET /snippets/:id/raw',
  summary: 'Get the raw content of the first file of a snippet',
  scope: inSnippet,
  can: 'read_instance',
  answers: bytes('text/plain'),
  errors: ['not_modified'],
  run: ({ deps, snippet }) => firstFile(deps, snippet),
})

export const getRawSnippetFile = endpoint({
  route: 'GET /snippets/:id/files/:ref/:file_path/raw',
  summary: 'Get the raw content of a file of a snippet',
  scope: inSnippet,
  can: 'read_instance',
  params: fileParams,
  answers: bytes('text/plain'),
  errors: ['not_modified'],
  run: ({ deps, snippet, params }) => rawFile(deps, snippet, params.ref, params.file_path),
})

export const createPersonalSnippet = endpoint({
  route: 'POST /snippets',
  summary: 'Create a snippet of the caller',
  scope: inSelf,
  can: 'update_own',
  bodyLimit: MAX_BODY,
  // Contract: internal where nothing is said (snippets API).
  params: { ...createParams, visibility: optional(described('Who may see it; default `internal`', Visibility)) },
  rules: createRules,
  answers: one(Snippet),
  run: ctx => createSnippet(ctx, undefined, { ...ctx.params, visibility: ctx.params.visibility ?? 'internal' }),
})

export const updatePersonalSnippet = endpoint({
  route: 'PUT /snippets/:id',
  summary: 'Change a snippet of the caller',
  scope: inOwnSnippet,
  can: 'use_instance',
  bodyLimit: MAX_BODY,
  params: updateParams,
  rules: updateRules,
  answers: one(Snippet),
  errors: ['conflict'],
  run: ctx => updateSnippet(ctx, ctx.project, ctx.snippet, ctx.params),
})

export const deletePersonalSnippet = endpoint({
  route: 'DELETE /snippets/:id',
  summary: 'Delete a snippet of the caller',
  scope: inOwnSnippet,
  can: 'use_instance',
  answers: nothing,
  run: ctx => removeSnippet(ctx, ctx.snippet),
})

export const getSnippetUserAgentDetail = endpoint({
  route: 'GET /snippets/:id/user_agent_detail',
  summary: 'Get the sender details of the request that created a snippet; administrators only',
  scope: inAnySnippet,
  can: 'admin_instance',
  answers: one(UserAgentDetail),
  run: ({ snippet }) => userAgentOf(snippet),
})

export const listProjectSnippets = endpoint({
  route: 'GET /projects/:id/snippets',
  summary: 'List the snippets of a project',
  scope: inSnippets,
  can: 'list_snippets',
  answers: pageOf(Snippet),
  run: ({ db, actor, project }) => snippetsOf(db, actor, project.id),
})

export const getProjectSnippet = endpoint({
  route: 'GET /projects/:id/snippets/:snippet_id',
  summary: 'Get a snippet of a project',
  scope: inProjectSnippet,
  can: 'read_snippet',
  answers: one(Snippet),
  run: ({ snippet }) => snippet,
})

export const getRawProjectSnippet = endpoint({
  route: 'GET /projects/:id/snippets/:snippet_id/raw',
  summary: 'Get the raw content of the first file of a snippet of a project',
  scope: inProjectSnippet,
  can: 'read_snippet',
  answers: bytes('text/plain'),
  errors: ['not_modified'],
  run: ({ deps, snippet }) => firstFile(deps, snippet),
})

export const getRawProjectSnippetFile = endpoint({
  route: 'GET /projects/:id/snippets/:snippet_id/files/:ref/:file_path/raw',
  summary: 'Get the raw content of a file of a snippet of a project',
  scope: inProjectSnippet,
  can: 'read_snippet',
  params: fileParams,
  answers: bytes('text/plain'),
  errors: ['not_modified'],
  run: ({ deps, snippet, params }) => rawFile(deps, snippet, params.ref, params.file_path),
})

export const createProjectSnippet = endpoint({
  route: 'POST /projects/:id/snippets',
  summary: 'Create a snippet of a project',
  scope: inSnippets,
  can: 'create_snippet',
  bodyLimit: MAX_BODY,
  params: { ...createParams, visibility: { ...Visibility, examples: ['private'] } as typeof Visibility },
  rules: createRules,
  answers: one(Snippet),
  run: ctx => createSnippet(ctx, ctx.project, ctx.params),
})

export const updateProjectSnippet = endpoint({
  route: 'PUT /projects/:id/snippets/:snippet_id',
  summary: 'Change a snippet of a project',
  scope: inProjectSnippet,
  can: 'update_snippet',
  bodyLimit: MAX_BODY,
  params: updateParams,
  rules: updateRules,
  answers: one(Snippet),
  errors: ['conflict'],
  run: ctx => updateSnippet(ctx, ctx.project, ctx.snippet, ctx.params),
})

export const deleteProjectSnippet = endpoint({
  route: 'DELETE /projects/:id/snippets/:snippet_id',
  summary: 'Delete a snippet of a project',
  scope: inProjectSnippet,
  can: 'update_snippet',
  answers: nothing,
  run: ctx => removeSnippet(ctx, ctx.snippet),
})

export const getProjectSnippetUserAgentDetail = endpoint({
  route: 'GET /projects/:id/snippets/:snippet_id/user_agent_detail',
  summary: 'Get the sender details of the request that created a snippet of a project; administrators only',
  scope: inProjectSnippet,
  can: 'read_user_agent_detail',
  answers: one(UserAgentDetail),
  run: ({ snippet }) => userAgentOf(snippet),
})

/** Commits that a merge request builds upon, shown with it (merge request context commits API at 14.0). */
import Type from 'typebox'
import { Commit, commitSchema, type InProject, presentCommit } from '../../../../code/repository/commits/entity.ts'
import type { Commit as GitCommit } from '../../../../platform/git/index.ts'
import { entity } from '../../../../platform/kernel/answer/entity.ts'
import { endpoint, nothing, one, pageOf } from '../../../../platform/kernel/declaration/endpoint.ts'
import { CommaList } from '../../../../platform/kernel/declaration/types.ts'
import { inMergeRequestRepository } from '../scope.ts'
import * as commands from './commands.ts'
import { contextCommitsOf } from './queries.ts'

/** Upper bound of the commits in one request. */
const MOST_COMMITS = 20

const params = {
  commits: CommaList(Type.String({ minLength: 1, maxLength: 64 }), {
    minItems: 1,
    maxItems: MOST_COMMITS,
    description: 'IDs of commits, full or shortened',
    examples: [['6d394385cf567f80a8fd85055db1ab4c5295806f']],
  }),
}

const AddedCommits = entity({
  name: 'ContextCommits',
  schema: Type.Array(commitSchema),
  present: ({ commits, project }: { commits: readonly GitCommit[]; project: InProject }, _loaded: undefined, facts) =>
    commits.map(commit => presentCommit(commit, project, facts)),
})

export const listContextCommits = endpoint({
  route: 'GET /projects/:id/merge_requests/:merge_request_iid/context_commits',
  summary: 'List the commits that a merge request builds upon',
  scope: inMergeRequestRepository,
  can: 'read_merge_request',
  answers: pageOf(Commit),
  run: ({ db, repository, project, mergeRequest }) => contextCommitsOf(db, repository, project, mergeRequest.id),
})

export const addContextCommits = endpoint({
  route: 'POST /projects/:id/merge_requests/:merge_request_iid/context_commits',
  summary: 'Add context commits to a merge request',
  scope: inMergeRequestRepository,
  can: 'update_merge_request',
  params,
  answers: one(AddedCommits),
  run: async ({ db, repository, project, mergeRequest, params }) => ({
    commits: await commands.addContextCommits(db, repository, mergeRequest, params.commits),
    project,
  }),
})

export const removeContextCommits = endpoint({
  route: 'DELETE /projects/:id/merge_requests/:merge_request_iid/context_commits',
  summary: 'Remove context commits from a merge request',
  scope: inMergeRequestRepository,
  // Contract: removing takes the right to delete the merge request (merge request context commits API).
  can: 'destroy_merge_request',
  params,
  answers: nothing,
  run: ({ db, repository, mergeRequest, params }) => commands.removeContextCommits(db, repository, mergeRequest, params.commits),
})

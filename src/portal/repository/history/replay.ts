/** Forms that repeat a commit, or its opposite, on a branch. */
import { pushing } from '../../../code/protected_branches/collaboration.ts'
import { cherryPickCommit, revertCommit } from '../../../code/repository/commits/endpoints.ts'
import { form } from '../../../platform/pages/forms/form.ts'
import { projectPlace } from '../../../spaces/projects/pages/place.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import { commitPage } from '../addresses.ts'
import { inCommitPage } from './scope.ts'

const replaying = {
  scope: pushing(inCommitPage),
  next: ({ project }: { readonly project: ProjectWithRole }, made: { readonly commit: { readonly id: string } }) =>
    commitPage(project, made.commit.id),
  cancel: ({ project, commit }: { readonly project: ProjectWithRole; readonly commit: { readonly commit: { readonly id: string } } }) =>
    commitPage(project, commit.commit.id),
}

const branchField = { name: 'branch', label: 'Branch', hint: 'The commit is added to this branch.', autofocus: true } as const

const revert = form({
  ...replaying,
  path: '/:project_path/-/commit/:sha/revert',
  summary: 'Revert a commit on a branch',
  of: revertCommit,
  fields: () => [branchField],
  values: ({ project }) => ({ branch: project.default_branch }),
  notice: 'The commit was reverted.',
  button: 'Revert',
  frame: ({ actor, project, commit }) => ({
    title: `Revert ${commit.commit.id.slice(0, 8)}`,
    place: projectPlace(actor, project, 'commits'),
  }),
})
export const showRevert = revert.show
export const submitRevert = revert.submit

const cherryPick = form({
  ...replaying,
  path: '/:project_path/-/commit/:sha/cherry_pick',
  summary: 'Cherry-pick a commit onto a branch',
  of: cherryPickCommit,
  fields: () => [branchField],
  notice: 'The commit was picked.',
  button: 'Cherry-pick',
  frame: ({ actor, project, commit }) => ({
    title: `Cherry-pick ${commit.commit.id.slice(0, 8)}`,
    place: projectPlace(actor, project, 'commits'),
  }),
})
export const showCherryPick = cherryPick.show
export const submitCherryPick = cherryPick.submit

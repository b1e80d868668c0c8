/** Commits as pages show what is said about them. */
import { within } from '../../platform/kernel/declaration/scope.ts'
import { noteableCommit } from '../../review/commit_comments/noteable.ts'
import { projectPath } from '../../spaces/projects/pages/place.ts'
import { inCommitPage } from '../repository/history/scope.ts'

/** The path of every page of a commit. */
export const COMMIT = '/:project_path/-/commit/:sha'

/** `:sha` below the page of a project becomes a commit that can be commented on, or 404. */
export const inCommentedPage = within(inCommitPage, {
  name: 'inCommentedPage',
  path: {},
  load: async ctx => ({ noteable: await noteableCommit(ctx, ctx.project, ctx.commit) }),
})

export interface AddressedCommit {
  readonly project?: { readonly full_path: string } | undefined
  readonly commit: { readonly commit: { readonly id: string } }
}

/** The path of a commit's page. Pure. */
export const commitPath = ({ project, commit }: AddressedCommit, rest = ''): string =>
  projectPath(project as { readonly full_path: string }, `/-/commit/${commit.commit.id}${rest}`)

/** The path of the page of threads on lines. `only`: elements that it is to have. Pure. */
export const lineThreadsPath = (ctx: AddressedCommit, only?: readonly string[]): string =>
  commitPath(ctx, `/threads${only === undefined ? '' : `?${new URLSearchParams({ only: only.join(',') || 'none' }).toString()}`}`)

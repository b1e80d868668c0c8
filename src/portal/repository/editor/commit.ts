/** What all forms that change a file share: the commit that they send, to the branch of the address or to a new one. */
import { branchRights } from '../../../code/protected_branches/rights.ts'
import { allows } from '../../../platform/access/abilities.ts'
import { isObjectId, lastCommitFor, type Repository, readRefs } from '../../../platform/git/index.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { flag, optional, text } from '../../../platform/kernel/declaration/types.ts'
import { invalid } from '../../../platform/kernel/errors.ts'
import type { FieldSpec } from '../../../platform/pages/forms/fields.ts'
import type { Values } from '../../../platform/pages/forms/form.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { type ProjectWithRole, projectSubject } from '../../../spaces/projects/scope.ts'
import { newMergeRequestPath } from '../../merge_requests/scope.ts'
import { comparePage } from '../addresses.ts'
import type { BranchPath, FileOfBranch } from './scope.ts'

/** What the scopes of the forms load. */
export type Editing = Context & {
  readonly project: ProjectWithRole
  readonly repository: Repository | undefined
  readonly target: BranchPath
}

/** Parameters of the API's commit that no form asks for as they are. */
export const replaced = [
  'branch',
  'actions',
  'commit_message',
  'start_branch',
  'start_sha',
  'start_project',
  'author_email',
  'author_name',
  'stats',
  'force',
]

export const commitParams = {
  commit_message: optional(text('Message of the commit', { maxLength: 1_000_000 })),
  branch_name: optional(text('The branch to commit to; a new one begins at the branch of the address', { maxLength: 255 })),
  merge_request: optional(flag('Whether the form of a merge request of the new branch follows', { default: false })),
}

/** The parameter that detects that a file changed meanwhile. */
export const guardParams = { last_commit_id: optional(text('The last commit of the file when the form was shown', { maxLength: 64 })) }

/** @param message the one that is written where the field stays empty */
export const commitFields = ({ actor, project, target: { branch, tip } }: Editing, message: string): readonly FieldSpec[] => [
  {
    name: 'commit_message',
    label: 'Commit message',
    control: 'textarea',
    placeholder: message,
    hint: html`“${message}” where it stays empty.`,
  },
  { name: 'branch_name', label: 'Branch', hint: tip === undefined ? '' : html`Another name makes a new branch from ${branch}.` },
  ...(tip !== undefined && allows(actor, 'create_merge_request_from', projectSubject(project)) === 'yes'
    ? [
        {
          name: 'merge_request',
          label: 'Open a merge request',
          control: 'checkbox' as const,
          hint: html`From the new branch into ${branch}: its form comes next.`,
        },
      ]
    : []),
]

/** Numbers that are tried for the name of a new branch. */
const MOST_TRIED = 50

/** What a form proposes: the branch of the address, or a new one, with a merge request, for callers who may not push to that. */
export async function proposedCommit(ctx: Editing): Promise<{ readonly branch_name: string; readonly merge_request: boolean }> {
  const branch_name = await proposedBranch(ctx)
  return { branch_name, merge_request: branch_name !== ctx.target.branch }
}

async function proposedBranch(ctx: Editing): Promise<string> {
  const { project, repository, target, actor } = ctx
  if (!repository || (await branchRights(ctx, project)).mayPush(target.branch)) return target.branch
  const names = Array.from({ length: MOST_TRIED }, (_, index) => `${actor.user?.username}-patch-${index + 1}`)
  const tips = await readRefs(
    repository,
    names.map(name => `refs/heads/${name}`),
  )
  return names[tips.indexOf(undefined)] ?? ''
}

/** A text that was sent; undefined for what was left empty. */
export const sentText = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** The branch that is committed to. */
export const branchOf = ({ target }: Pick<Editing, 'target'>, { branch_name }: Values): string => sentText(branch_name) ?? target.branch

/** Does a merge request come next? */
const opensMergeRequest = ({ merge_request }: Values): boolean => merge_request === true

/** The page after the commit: the form of a merge request, where that was asked for. */
export const afterCommit = (ctx: Editing, params: Values, address: string): string =>
  opensMergeRequest(params) ? newMergeRequestPath(ctx.project, branchOf(ctx, params), ctx.target.branch) : address

/** One change, or several, as the parameters of the API's commit. @throws Refusal 400 at its field for a branch that the caller may not push to */
export async function commitOf(
  ctx: Editing,
  params: Values,
  action: Action | readonly Action[],
  message: string,
): Promise<Record<string, unknown>> {
  const { project, target } = ctx
  const branch = branchOf(ctx, params)
  // The declaration refuses it too, but not at the field, with all that was typed.
  if (!(await branchRights(ctx, project)).mayPush(branch)) throw invalid({ branch_name: ['is protected: choose another name'] })
  if (opensMergeRequest(params) && branch === target.branch)
    throw invalid({ branch_name: ['is the one to merge into: choose another name, or no merge request'] })
  return {
    branch,
    // Browsers send line ends as CR LF.
    commit_message: sentText(params.commit_message)?.replace(/\r\n?/g, '\n').trim() || message,
    actions: [action].flat(),
    ...(target.tip === undefined || branch === target.branch ? {} : { start_branch: target.branch }),
  }
}

/** A change as the commits of the API have it. */
type Action = Readonly<Record<string, unknown>>

/** The last commit that changed the file of the form. */
export async function lastCommitIdOf({ file, target }: Editing & { readonly file: FileOfBranch }): Promise<string> {
  return (await lastCommitFor(file.repository, file.tip, target.path))?.id ?? file.tip
}

/** The commit that a refused form was filled in at, if the file has another one now. */
async function changeSince(ctx: Editing & { readonly file: FileOfBranch }, sent: Values | undefined) {
  const known = sentText(sent?.last_commit_id)
  if (known === undefined || !isObjectId(known)) return undefined
  const newest = await lastCommitIdOf(ctx)
  return newest === known ? undefined : { known, newest }
}

/** The field of the commit that the change was made at: hidden, until the file has changed meanwhile and the user has to choose. */
export async function guardField(ctx: Editing & { readonly file: FileOfBranch }, sent: Values | undefined): Promise<FieldSpec> {
  const change = await changeSince(ctx, sent)
  if (!change) return { name: 'last_commit_id', control: 'hidden' }
  return {
    name: 'last_commit_id',
    label: 'The file has changed meanwhile',
    control: 'radio',
    hint: '',
    choices: [
      [change.known, 'Leave the file as it is now', 'To look at the change first, and to take over what you need of it.'],
      [change.newest, 'Put my version in its place', 'What was changed meanwhile is undone.'],
    ],
  }
}

/** Says, above a refused form, that the file has changed meanwhile. */
export async function changedNotice(ctx: Editing & { readonly file: FileOfBranch }, sent: Values | undefined): Promise<Html | undefined> {
  const change = await changeSince(ctx, sent)
  return (
    change &&
    html`<div class="notice attention" role="status"><span>${ctx.target.path} has changed on ${ctx.target.branch} since you began. <a href="${comparePage(ctx.project, change.known, ctx.target.branch)}" target="_blank" rel="noopener">See what changed</a> (in a new window). Nothing that you typed is lost.</span></div>`
  )
}

/** Who may run a pipeline of a reference. */

import type { BranchRights } from '../../../code/protected_branches/branch_rights.ts'
import { branchRights } from '../../../code/protected_branches/rights.ts'
import { type TagRights, tagRights } from '../../../code/protected_tags/rights.ts'
import { allows } from '../../../platform/access/abilities.ts'
import { shortNameOf } from '../../../platform/git/index.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { forbidden } from '../../../platform/kernel/errors.ts'
import { type ProjectWithRole, projectSubject } from '../../../spaces/projects/scope.ts'

/** The reason of the refusal in the words of the API, or whether the reference is protected. */
export type RefRights =
  | { readonly refusal: string; readonly isProtected?: never }
  | { readonly refusal?: never; readonly isProtected: boolean }

/** May a user run pipelines on a reference, as far as its protection is concerned? */
type Judgement = (rights: BranchRights | TagRights, name: string) => boolean

const mayRun: Judgement = (rights, name) => ('mayCreate' in rights ? rights.mayCreate(name) : rights.mayMerge(name))

const mayWrite: Judgement = (rights, name) => ('mayCreate' in rights ? rights.mayCreate(name) : rights.mayPush(name))

/**
 * May the actor run a pipeline of this reference? On a protected branch users who may push or merge, on a protected tag users who may
 * create it, since protected jobs get secrets. The reference of a merge request is never protected: anybody may propose one. Its source branch may be
 * (`rightsOnRefOf`).
 */
export const rightsOnRef = (ctx: Context, project: ProjectWithRole, ref: string): Promise<RefRights> => judged(ctx, project, ref, mayRun)

/** What is known of a pipeline, or of one that is asked for. */
export interface RefOf {
  /** Full name. */
  readonly ref: string
  readonly merge_request_id?: number | null | undefined
}

/** The pipelines of merge requests within a project are of a reference of their own. Pure. */
export const isOfMergeRequest = (ref: string): boolean => ref.startsWith('refs/merge-requests/')

/**
 * The same for a pipeline. One of a merge request within the project runs the CI file of its source branch, and tells other services that it is of the
 * project: where that branch is protected, it takes the right to run pipelines of it. It gets no protected variables.
 */
export async function rightsOnRefOf(ctx: Context, project: ProjectWithRole, { ref, merge_request_id }: RefOf): Promise<RefRights> {
  const rights = await rightsOnRef(ctx, project, ref)
  if (rights.refusal !== undefined || merge_request_id === undefined || !isOfMergeRequest(ref)) return rights
  // The merge request was deleted: which branch it was of is not known any more, and may be a protected one.
  if (merge_request_id === null)
    return allows(ctx.actor, 'set_restricted_variables', projectSubject(project)) === 'yes'
      ? rights
      : { refusal: 'The merge request of this pipeline was deleted: Maintainers run its jobs' }
  const { source_branch } = await ctx.db
    .selectFrom('merge_requests')
    .select('source_branch')
    .where('id', '=', merge_request_id)
    .executeTakeFirstOrThrow()
  const { refusal } = await rightsOnRef(ctx, project, `refs/heads/${source_branch}`)
  return refusal === undefined ? rights : { refusal }
}

/** What `rightsOnRef` says of a reference, without the words of a refusal. */
interface RefVerdict {
  readonly mayRun: boolean
  readonly isProtected: boolean
}

/** The same as `rightsOnRef` for many references of a project, by their full names: a fixed number of statements for all. */
export async function verdictsOnRefs(ctx: Context, project: ProjectWithRole): Promise<(ref: string) => RefVerdict> {
  if (refusalIn(ctx, project) !== undefined) return () => ({ mayRun: false, isProtected: false })
  const [branches, tags] = [await branchRights(ctx, project), await tagRights(ctx, project)]
  return ref => {
    const short = shortNameOf(ref)
    if (!short) return { mayRun: true, isProtected: false }
    const rights = short.kind === 'tag' ? tags : branches
    return { mayRun: mayRun(rights, short.name), isProtected: rights.isProtected(short.name) }
  }
}

/** Of which references, by their full names, may the actor run pipelines? A fixed number of statements for all. */
export async function runnableRefs(ctx: Context, project: ProjectWithRole): Promise<(ref: string) => boolean> {
  const verdictOn = await verdictsOnRefs(ctx, project)
  return ref => verdictOn(ref).mayRun
}

/** Why the actor may run no pipelines of the project, in the words of the API. */
function refusalIn({ actor }: Pick<Context, 'actor'>, project: ProjectWithRole): string | undefined {
  if (project.builds_access_level === 'disabled') return 'Pipelines are disabled!'
  const may = actor.user?.state === 'active' && allows(actor, 'create_pipeline', projectSubject(project)) === 'yes'
  return may ? undefined : 'Insufficient permissions to create a new pipeline'
}

/**
 * May the actor run a CI file of their own choice on this reference, because they may push it there? A user who may only merge into a
 * branch runs what others have approved, and no other file.
 */
export const rightsToWriteCi = (ctx: Context, project: ProjectWithRole, ref: string): Promise<RefRights> =>
  judged(ctx, project, ref, mayWrite)

/** The message of the API for variables that the project leaves to Maintainers. */
export const VARIABLES_REFUSED = 'Insufficient permissions to set pipeline variables'

/** May the actor give variables to pipelines, jobs and schedules of this project (`restrict_user_defined_variables`)? */
export const maySetVariables = ({ actor }: Pick<Context, 'actor'>, project: ProjectWithRole): boolean =>
  !project.restrict_user_defined_variables || allows(actor, 'set_restricted_variables', projectSubject(project)) === 'yes'

/** 403 if the actor may give none. */
export function requireRightToSetVariables(ctx: Pick<Context, 'actor'>, project: ProjectWithRole): void {
  if (!maySetVariables(ctx, project)) throw forbidden(VARIABLES_REFUSED)
}

async function judged(ctx: Context, project: ProjectWithRole, ref: string, may: Judgement): Promise<RefRights> {
  const refusal = refusalIn(ctx, project)
  if (refusal !== undefined) return { refusal }
  const short = shortNameOf(ref)
  if (!short) return { isProtected: false }
  const rights = short.kind === 'tag' ? await tagRights(ctx, project) : await branchRights(ctx, project)
  return may(rights, short.name)
    ? { isProtected: rights.isProtected(short.name) }
    : {
        refusal: `You do not have sufficient permission to run a pipeline on '${short.name}'. Please select a different branch or contact your administrator for assistance.`,
      }
}

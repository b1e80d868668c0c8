/** Who may run a pipeline of a reference. */

import type { BranchRights } from '../../../code/protected_branches/branch_rights.ts'
import { branchRights } from '../../../code/protected_branches/rights.ts'
import { type TagRights, tagRights } from '../../../code/protected_tags/rights.ts'
import { allows } from '../../../platform/access/abilities.ts'
import { anyOf } from '../../../platform/db/statements/any.ts'
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
export async function rightsOnRefOf(ctx: Context, project: ProjectWithRole, wanted: RefOf): Promise<RefRights> {
  const [rights] = await rightsOnRefsOf(ctx, project, [wanted])
  return rights as RefRights
}

/** `rightsOnRefOf` for many pipelines of a project, in their order: a fixed number of statements for all. */
export async function rightsOnRefsOf(ctx: Context, project: ProjectWithRole, wanted: readonly RefOf[]): Promise<RefRights[]> {
  const refused = refusalIn(ctx, project)
  if (refused !== undefined) return wanted.map(() => ({ refusal: refused }))
  const ids = wanted.flatMap(({ ref, merge_request_id }) => (isOfMergeRequest(ref) ? (merge_request_id ?? []) : []))
  const sources = await sourceBranches(ctx, ids)
  const judge = await judgeOf(ctx, project, mayRun, [...wanted.map(({ ref }) => ref), ...sources.values()])
  return wanted.map(({ ref, merge_request_id }) => {
    const rights = judge(ref)
    if (rights.refusal !== undefined || merge_request_id === undefined || !isOfMergeRequest(ref)) return rights
    const source = merge_request_id === null ? undefined : sources.get(merge_request_id)
    // The merge request was deleted: which branch it was of is not known any more, and may be a protected one.
    if (source === undefined)
      return allows(ctx.actor, 'set_restricted_variables', projectSubject(project)) === 'yes'
        ? rights
        : { refusal: 'The merge request of this pipeline was deleted: Maintainers run its jobs' }
    const { refusal } = judge(source)
    return refusal === undefined ? rights : { refusal }
  })
}

/** The source branches of merge requests by their ids, as full names. */
async function sourceBranches({ db }: Context, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('merge_requests').select(['id', 'source_branch']).where('id', '=', anyOf(ids)).execute()
  return new Map(rows.map(({ id, source_branch }) => [id, `refs/heads/${source_branch}`]))
}

/** Of which references, by their full names, may the actor run pipelines? A fixed number of statements for all. */
export async function runnableRefs(ctx: Context, project: ProjectWithRole): Promise<(ref: string) => boolean> {
  const judge = await judgeOf(ctx, project, mayRun, ANY)
  return ref => judge(ref).refusal === undefined
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

const judged = async (ctx: Context, project: ProjectWithRole, ref: string, may: Judgement): Promise<RefRights> =>
  (await judgeOf(ctx, project, may, [ref]))(ref)

/** One reference of each kind that can be protected. */
const ANY = ['refs/heads/any', 'refs/tags/any'] as const

/**
 * What says of a reference, by its full name, which rights the actor has on it. At most two statements.
 * @param refs has one of each kind that will be asked about
 */
async function judgeOf(
  ctx: Context,
  project: ProjectWithRole,
  may: Judgement,
  refs: readonly string[],
): Promise<(ref: string) => RefRights> {
  const refused = refusalIn(ctx, project)
  if (refused !== undefined) return () => ({ refusal: refused })
  const kinds = new Set(refs.map(ref => shortNameOf(ref)?.kind))
  const known = {
    branch: kinds.has('branch') ? await branchRights(ctx, project) : undefined,
    tag: kinds.has('tag') ? await tagRights(ctx, project) : undefined,
  }
  return ref => {
    const short = shortNameOf(ref)
    if (!short) return { isProtected: false }
    const rights = known[short.kind]
    if (!rights) throw new Error(`The rights on a ${short.kind} were not asked for`)
    if (may(rights, short.name)) return { isProtected: rights.isProtected(short.name) }
    return {
      refusal: `You do not have sufficient permission to run a pipeline on '${short.name}'. Please select a different branch or contact your administrator for assistance.`,
    }
  }
}

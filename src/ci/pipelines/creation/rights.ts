/** Who may run a pipeline of a reference. */
import { allows } from '../../../access/abilities.ts'
import { shortNameOf } from '../../../git/refs/names.ts'
import type { Context } from '../../../kernel/context.ts'
import { type ProjectWithRole, projectSubject } from '../../../projects/scope.ts'
import { branchRights } from '../../../protected_branches/rights.ts'
import { tagRights } from '../../../protected_tags/rights.ts'

/** What stands against it, in the words of the API, or whether the reference is protected. */
export type RefRights = { readonly refusal: string } | { readonly refusal?: never; readonly isProtected: boolean }

/**
 * May the actor run a pipeline of this reference? Of a branch whoever may push or merge there, of a tag whoever may create it: jobs of
 * protected ones are given secrets. A merge request's is as unprotected as what anybody proposes.
 */
export async function rightsOnRef(ctx: Context, project: ProjectWithRole, ref: string): Promise<RefRights> {
  const { actor } = ctx
  if (project.builds_access_level === 'disabled') return { refusal: 'Pipelines are disabled!' }
  if (actor.user?.state !== 'active' || allows(actor, 'create_pipeline', projectSubject(project)) !== 'yes')
    return { refusal: 'Insufficient permissions to create a new pipeline' }
  const short = shortNameOf(ref)
  if (!short) return { isProtected: false }
  const rights = short.kind === 'tag' ? await tagRights(ctx, project) : await branchRights(ctx, project)
  const may = 'mayCreate' in rights ? rights.mayCreate(short.name) : rights.mayMerge(short.name)
  return may
    ? { isProtected: rights.isProtected(short.name) }
    : {
        refusal: `You do not have sufficient permission to run a pipeline on '${short.name}'. Please select a different branch or contact your administrator for assistance.`,
      }
}

/** Resolves names in the arguments of quick actions: labels, milestones, and items of projects. */

import { itemKind } from '../../../collaboration/item_kinds/item_kind.ts'
import type { ItemNoun } from '../../../collaboration/item_kinds/kinds.ts'
import { splitAtReferences } from '../../../collaboration/markdown/references.ts'
import type { Noteable } from '../../../collaboration/notes/items/noteable.ts'
import type { ItemChanges, ItemTypes, Target } from '../../../collaboration/quick_actions/action.ts'
import { namesIn } from '../../../collaboration/quick_actions/targets.ts'
import { anyOf } from '../../../platform/db/statements/any.ts'
import { Refusal } from '../../../platform/kernel/errors.ts'
import { planningPlaceOf } from '../../../spaces/places/places.ts'
import { findProject, type ProjectWithRole } from '../../../spaces/projects/scope.ts'
import { labelsByName } from '../../labels/queries.ts'

/** Items of projects. */
export interface PlannedInProject extends ItemTypes {
  readonly place: ProjectWithRole
  readonly changes: ItemChanges & { readonly milestone_id?: number | null | undefined }
}

/** The place in which names of arguments are resolved. */
type Where = Pick<Target<PlannedInProject>, 'ctx' | 'place'>

/** The labels named in an argument that are available in the project or group. */
export async function labelsNamed({ ctx, writing, place }: Target, argument: string): Promise<{ id: number; name: string }[]> {
  const names = namesIn(argument, 'label')
  if (names.length === 0) return []
  const ids = [...(await labelsByName(ctx.db, writing.labelsIn(place), names)).values()]
  return ctx.db.selectFrom('labels').select(['id', 'name']).where('id', '=', anyOf(ids)).orderBy('name').execute()
}

/** The id of the milestone with that title available in the project. Without a sign, the whole argument is the title. */
export async function milestoneNamed({ ctx, place }: Where, argument: string): Promise<number | undefined> {
  const [title] = /[%"]/.test(argument) ? namesIn(argument, 'milestone') : [argument.trim()]
  if (title === undefined) return undefined
  const { key, above } = planningPlaceOf(place)
  const found = await ctx.db
    .selectFrom('milestones')
    .select('id')
    .where('title', '=', title)
    .where(({ or, eb }) => or([eb('project_id', '=', key.project_id), eb('namespace_id', '=', anyOf(above))]))
    .orderBy('id')
    .executeTakeFirst()
  return found?.id
}

/** The item of a kind that an argument names, `#3` or `group/project#3`, if the actor may see it. */
export async function itemNamed({ ctx, place }: Where, argument: string, noun: ItemNoun): Promise<Noteable | undefined> {
  const [piece] = splitAtReferences(argument)
  if (typeof piece !== 'object' || piece.kind !== noun) return undefined
  const project = piece.place === undefined ? place : await projectAt(ctx, inNeighbourhood(place, piece.place))
  return project && itemKind(noun).find?.(ctx, project, Number(piece.name))
}

/** The project of this path, if the actor may see it. */
async function projectAt({ db, actor }: Where['ctx'], path: string): Promise<ProjectWithRole | undefined> {
  try {
    return await findProject(db, actor, path)
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'not_found') return undefined
    throw error
  }
}

/** The full path of a place in a reference: a name without slash is a project of the same group. */
const inNeighbourhood = (project: ProjectWithRole, place: string): string =>
  place.includes('/') ? place : `${project.namespace_full_path}/${place}`

import type { Context } from '../../platform/kernel/context.ts'
import { type Scope, within } from '../../platform/kernel/declaration/scope.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import type { InPlanningPlace } from '../../spaces/places/places.ts'
import { countedLabelNamed, type LabelReach, type LabelRow } from './queries.ts'

/** The label available in the place with this id or name; 404 if there is none. */
export async function findLabel(
  { db, actor, place }: Context & InPlanningPlace,
  idOrName: number | string | undefined,
  reach?: LabelReach,
): Promise<LabelRow> {
  const label = idOrName === undefined ? undefined : await countedLabelNamed(db, actor, place, String(idOrName), reach)
  if (!label) throw notFound('Label')
  return label
}

/** `:label_id` is resolved to a label of the place or of a group above it, or 404. */
export const inLabel = <S extends InPlanningPlace>(inPlace: Scope<S>) =>
  within(inPlace, {
    name: `${inPlace.name}Label`,
    path: { label_id: text('ID or URL-encoded name of a label') },
    load: async (ctx, { label_id }) => ({ label: await findLabel(ctx, label_id) }),
    modifiedAt: ({ label }) => label.updated_at,
  })

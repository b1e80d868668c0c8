/** Endpoints of resource events (resource state, label, milestone, iteration and weight events APIs at 14.0). */

import type { ItemFact } from '../../collaboration/item_kinds/item_kind.ts'
import type { NoteableApi, NoteableScope } from '../../collaboration/notes/items/noteable.ts'
import { endpoint, one, pageOf, type Shown } from '../../platform/kernel/declaration/endpoint.ts'
import { within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { IterationEvent, LabelEvent, MilestoneEvent, StateEvent, WeightEvent } from './entity.ts'
import { type FactRow, factOf, factsOf } from './queries.ts'

/** `:event_id` is resolved to a resource event of one kind, or 404. */
const inFact = (inNoteable: NoteableScope, kind: ItemFact) =>
  within(inNoteable, {
    name: `${inNoteable.name}${kind.charAt(0).toUpperCase()}${kind.slice(1)}Event`,
    path: { event_id: integer('ID of an event') },
    async load({ db, noteable }, { event_id }) {
      const fact = await factOf(db, noteable, kind, event_id)
      if (!fact) throw notFound('ResourceEvent')
      return { fact }
    },
  })

const factEndpoints = (
  { path, noun, scope, can, tier: tierOfKind }: NoteableApi,
  kind: ItemFact,
  entity: Shown<FactRow>,
  tier = tierOfKind,
) => [
  endpoint({
    route: `GET ${path}/resource_${kind}_events`,
    summary: `List the ${kind} changes of ${noun}`,
    scope,
    can: can.read,
    answers: pageOf(entity),
    run: ({ db, noteable }) => factsOf(db, noteable, kind),
    ...(tier ? { tier } : {}),
  }),
  endpoint({
    route: `GET ${path}/resource_${kind}_events/:event_id`,
    summary: `Get a ${kind} change of ${noun}`,
    scope: inFact(scope, kind),
    can: can.read,
    answers: one(entity),
    run: ({ fact }) => fact,
    ...(tier ? { tier } : {}),
  }),
]

/** The entity of each kind, and the tier that it requires. */
const facts: { readonly [K in ItemFact]: readonly [entity: Shown<FactRow>, tier?: 'premium'] } = {
  state: [StateEvent],
  label: [LabelEvent],
  milestone: [MilestoneEvent],
  weight: [WeightEvent, 'premium'],
  iteration: [IterationEvent, 'premium'],
}

/** The endpoints of these kinds of resource events for one item kind. */
export const resourceEventEndpoints = (api: NoteableApi, kinds: readonly ItemFact[]) =>
  kinds.flatMap(kind => factEndpoints(api, kind, ...facts[kind]))

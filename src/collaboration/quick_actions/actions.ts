/**
 * The table of quick actions: what a line such as `/close` or `/label ~bug` in a description or a note does, to what, and who
 * may (public behaviour at 14.0). They work by the commands that the API uses; there is no second way.
 */
import { type Action, all, type Noun } from './action.ts'
import { attributeActions, issueAttributeActions, projectAttributeActions } from './table/attributes.ts'
import { deedActions, timeActions } from './table/deeds.ts'
import { epicActions, familyActions } from './table/epics.ts'
import { mergeRequestActions } from './table/merging.ts'
import { assigneeActions, reviewerActions } from './table/people.ts'
import { placeActions, relationActions } from './table/relations.ts'

const table: Readonly<Record<string, Action>> = {
  ...attributeActions,
  ...projectAttributeActions,
  ...issueAttributeActions,
  ...assigneeActions,
  ...reviewerActions,
  ...deedActions,
  ...timeActions,
  ...relationActions,
  ...placeActions,
  ...epicActions,
  ...familyActions,
  ...mergeRequestActions,
}

const actionsOn = (noun: Noun): ReadonlyMap<string, Action> =>
  new Map(
    Object.entries(table)
      .filter(([, { on }]) => on.includes(noun))
      .flatMap(([name, action]) => [name, ...(action.names ?? [])].map(known => [known, action] as const)),
  )

/** Every action by each of its names, by what it works on. */
export const actions = Object.fromEntries(all.map(noun => [noun, actionsOn(noun)])) as Record<Noun, ReadonlyMap<string, Action>>

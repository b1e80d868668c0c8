/** Levels of visibility that only administrators give (`restricted_visibility_levels`). */
import type { Visibility } from '../access/abilities.ts'
import { type Actor, isAdmin } from '../access/actor.ts'
import { invalid } from '../kernel/errors.ts'
import type { ApplicationSettingsRow } from './queries.ts'

type Restricted = Pick<ApplicationSettingsRow, 'restricted_visibility_levels'>

const fromClosed: readonly Visibility[] = ['private', 'internal', 'public']

/** The level, or where the actor may not give it the most closed one that they may. */
export function allowedLevel(actor: Actor, { restricted_visibility_levels: restricted }: Restricted, wanted: Visibility): Visibility {
  if (isAdmin(actor) || !restricted.includes(wanted)) return wanted
  return fromClosed.find(level => !restricted.includes(level)) ?? wanted
}

/** The same for what may not be more open than `wanted`: the most open level below it that the actor may give; `wanted` where there is none. */
export function allowedLevelBelow(actor: Actor, { restricted_visibility_levels: restricted }: Restricted, wanted: Visibility): Visibility {
  if (isAdmin(actor)) return wanted
  return fromClosed.findLast(level => fromClosed.indexOf(level) <= fromClosed.indexOf(wanted) && !restricted.includes(level)) ?? wanted
}

/** Is this a level that the actor may not give? */
export const isLevelRestricted = (actor: Actor, { restricted_visibility_levels: restricted }: Restricted, wanted: Visibility): boolean =>
  !isAdmin(actor) && restricted.includes(wanted)

/** @throws Refusal 400 for a level that the actor may not give */
export function assertLevelAllowed(actor: Actor, settings: Restricted, wanted: Visibility): void {
  if (isLevelRestricted(actor, settings, wanted))
    throw invalid({ visibility_level: [`${wanted} has been restricted by your administrator`] })
}

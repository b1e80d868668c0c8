/** The days for which a deleted project or group can be restored (`INGOT_DELETION_DELAY`, from the premium tier on). */
import type { Context, Deps } from '../../../platform/kernel/context.ts'
import { tierCovers } from '../../../platform/kernel/declaration/types.ts'

const DAY = 24 * 60 * 60 * 1000

/** Is what gets deleted marked first, and kept for some days? */
export const isDeletionDelayed = ({ deps, tier }: Context): boolean => deps.config.deletionDelay > 0 && tierCovers(tier, 'premium')

/** `2021-06-01`, UTC. */
export const dayOf = (date: Date): string => date.toISOString().slice(0, 10)

/** What was marked on this day or before is deleted now. */
export const lastDueDay = (deps: Deps): string => dayOf(new Date(deps.now().getTime() - deps.config.deletionDelay * DAY))

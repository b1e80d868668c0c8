/** The pages of feature flags stand beside those of environments, not in the settings. */
import type { InEither } from '../places/planning.ts'
import { eitherPlace } from '../places/planning.ts'
import { type Home, projectHome } from '../things/homes.ts'

export const FLAGS = '/-/feature_flags'
export const USER_LISTS = '/-/feature_flags_user_lists'
export const CLIENT = '/-/feature_flags_client'

/** The key of the tab. */
export const TAB = 'feature_flags'

export const flagsHome: Home<InEither> = { ...projectHome, placeOf: ctx => eitherPlace(ctx.actor, ctx, TAB) }

/** Deployment tiers of environments. */

export const deploymentTiers = ['production', 'staging', 'testing', 'development', 'other'] as const
export type DeploymentTier = (typeof deploymentTiers)[number]

/**
 * Parts of names and the tier that they suggest; the first match decides, so `preprod-review` is for development.
 * Contract: without an explicit tier, the name decides (public behaviour, "Deployment tier of environments").
 */
const words: readonly [DeploymentTier, RegExp][] = [
  ['development', /dev|review|trunk/i],
  ['testing', /te?st|int|ac(ce)?pt|qa|qc|control|quality/i],
  ['staging', /sta?g|mode?l|pre|demo|non/i],
  ['production', /pro?d|live/i],
]

/** The tier of an environment of this name. */
export const tierOfName = (name: string): DeploymentTier => words.find(([, pattern]) => pattern.test(name))?.[0] ?? 'other'

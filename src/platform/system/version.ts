/** What this program calls itself, and what it calls itself to clients. */
import program from '../../../package.json' with { type: 'json' }
import type { Tier } from '../kernel/declaration/types.ts'

/** Ingot's own version. */
export const version: string = program.version

/**
 * The release of the API that Ingot speaks. Clients compare it (clients.md b.5), so it is that of the contract and not
 * our own; what follows the dash tells the community edition from the others.
 */
export const apiVersion = (tier: Tier): string => (tier === 'free' ? '14.0.0' : '14.0.0-ee')

/** Variables of the environment that are meant for Ingot and not read by it. */
import { closest, distance } from 'fastest-levenshtein'
import { settings } from './settings.ts'

/** Letters by which a name may differ from that of a setting to be taken for it. */
const NEAR = 2

/** The lines that name variables which are nearly settings, with what is meant. */
export function mistypedIn(environment: Readonly<Record<string, string | undefined>>): string[] {
  const known = Object.values(settings).map(({ env }) => env as string)
  return Object.keys(environment)
    .filter(name => name.startsWith('INGOT_') && !known.includes(name))
    .flatMap(name => {
      const meant = closest(name, known)
      return distance(name, meant) <= NEAR ? [`${name} is no setting: is ${meant} meant?`] : []
    })
}

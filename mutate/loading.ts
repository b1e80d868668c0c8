/**
 * Loaded before anything else in a process that tries a mutant: one file is loaded with its change. No file on the disk is changed, so several
 * processes try different mutants on one tree.
 */
import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import { type Mutant, mutated } from './mutants.ts'

/** The environment variable with the mutant as JSON. */
export const mutantVariable = 'INGOT_MUTANT'

/** A mutant of a file, by its absolute path. */
export interface FileMutant extends Mutant {
  readonly file: string
}

// biome-ignore lint/style/noProcessEnv: the way from the command to its processes
const given = process.env[mutantVariable]
if (given !== undefined) {
  const mutant = JSON.parse(given) as FileMutant
  const url = pathToFileURL(mutant.file).href
  registerHooks({
    load(address, context, nextLoad) {
      const loaded = nextLoad(address, context)
      if (address.split('?')[0] !== url) return loaded
      return { ...loaded, source: mutated(String(loaded.source), mutant) }
    },
  })
}

/**
 * Links the libraries of the embedded database, as its first start would: an installation whose folder belongs to another user than the one who runs
 * Ingot cannot do it later. `npm run build` runs it.
 */
import { EmbeddedError } from '../../platform/db/embedded/error.ts'
import { programsVersion } from '../../platform/db/embedded/home.ts'

await programsVersion().catch(error => {
  // This machine has no embedded database, and Ingot uses another one.
  if (!(error instanceof EmbeddedError)) throw error
  process.stdout.write(`${error.message}\n`)
})

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ASSETS_FOLDER } from './files.ts'

/** Builds the files of the pages where nobody has: packages bring them, and `npm ci` builds them unless it runs no scripts. */
export async function ensureAssets(): Promise<void> {
  if (existsSync(join(ASSETS_FOLDER, 'manifest.json'))) return
  const { buildAssets } = await import('./build.ts')
  await buildAssets()
}

/**
 * The structures of pages in which axe has found nothing, in this run of tests: journeys come to the same pages by each way of working them, and so do
 * the files of several processes.
 */
import { createHash } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Names the folder of a run of tests, which its processes share. */
export const flawlessVariable = 'INGOT_FLAWLESS_PAGES'

// biome-ignore lint/style/noProcessEnv: the way from run.ts to the processes of the tests
const folder = process.env[flawlessVariable]

const known = new Set<string>()

const digestOf = (structure: string): string => createHash('sha256').update(structure).digest('hex')

/** Has axe found nothing in a page of this structure? */
export function isFlawless(structure: string): boolean {
  const digest = digestOf(structure)
  return known.has(digest) || (folder !== undefined && existsSync(join(folder, digest)))
}

/** Notes that axe has found nothing in it. */
export function noteFlawless(structure: string): void {
  const digest = digestOf(structure)
  known.add(digest)
  if (folder !== undefined) writeFileSync(join(folder, digest), '')
}

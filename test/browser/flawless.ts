/**
 * The kinds of elements in which axe has found nothing, in this run of tests: journeys come to the same pages by each way of working them, and so do
 * the files of several processes.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Names the folder of a run of tests, which its processes share. */
export const flawlessVariable = 'INGOT_FLAWLESS_PAGES'

// biome-ignore lint/style/noProcessEnv: the way from run.ts to the processes of the tests
const folder = process.env[flawlessVariable]

/** By the rules that were looked at: what is known, and how much of the file of all processes has been read. */
const known = new Map<string, { readonly kinds: Set<number>; read: number }>()

const fileOf = (rules: string): string => join(folder as string, Buffer.from(rules).toString('base64url').slice(0, 100))

function knownBy(rules: string): { readonly kinds: Set<number>; read: number } {
  const found = known.get(rules) ?? { kinds: new Set<number>(), read: 0 }
  known.set(rules, found)
  return found
}

/** Adds what other processes have written since this was asked last. Lines are written whole. */
function readOthers(rules: string): void {
  if (folder === undefined || !existsSync(fileOf(rules))) return
  const found = knownBy(rules)
  const text = readFileSync(fileOf(rules), 'latin1')
  const end = text.lastIndexOf('\n') + 1
  for (const line of text.slice(found.read, end).split('\n'))
    if (line !== '') for (const kind of line.split(' ')) found.kinds.add(Number(kind))
  found.read = end
}

/**
 * Those of these kinds in which axe has not found nothing yet.
 * @param rules what axe looks at
 */
export function notFlawless(rules: string, kinds: readonly number[]): number[] {
  const found = knownBy(rules).kinds
  const left = kinds.filter(kind => !found.has(kind))
  if (left.length === 0) return left
  readOthers(rules)
  return left.filter(kind => !found.has(kind))
}

/** Notes that axe has found nothing in them. */
export function noteFlawless(rules: string, kinds: readonly number[]): void {
  const found = knownBy(rules).kinds
  for (const kind of kinds) found.add(kind)
  if (folder !== undefined && kinds.length > 0) appendFileSync(fileOf(rules), `${kinds.join(' ')}\n`)
}

/** Golden files: what the code says now, next to what was looked at and committed. */
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { diff } from 'node:util'

/**
 * Set by `npm run generate` (generate.ts): golden files are written, not compared. `all`: as the code says now. `new`: what is written already
 * stays, where a file has an entry for each endpoint. Anything else: entries of routes with this text are written too.
 */
export const updateVariable = 'INGOT_UPDATE_GOLDEN'

// biome-ignore lint/style/noProcessEnv: the way from `npm run generate` to the tests
const update = process.env[updateVariable]

/** Whether golden files are written, and tests that compare none need not run. */
export const isUpdating: boolean = update !== undefined

/**
 * Whether a golden file's entry of this route is to be made: each, unless only some are written.
 * @param written the routes that have an entry in the committed file
 */
export const isEntryWanted = (route: string, written: ReadonlySet<string>): boolean =>
  update === undefined || update === 'all' || !written.has(route) || (update !== 'new' && route.includes(update))

/** The text of `test/golden/<name>` as committed; '' when there is none. */
export const committedGolden = (name: string): Promise<string> => readFile(pathOf(`test/golden/${name}`), 'utf8').catch(() => '')

const pathOf = (file: string): string => join(import.meta.dirname, '..', file)

/** Compares a text with `test/golden/<name>`, or writes it there. */
export const assertGolden = (name: string, text: string): Promise<void> => assertGenerated(`test/golden/${name}`, () => text)

/** Compares a file of the repository with what `text` makes of it (of '' when there is none), or writes that. */
export async function assertGenerated(file: string, text: (committed: string) => string): Promise<void> {
  const path = pathOf(file)
  const committed = await readFile(path, 'utf8').catch(() => '')
  if (isUpdating) return writeFile(path, text(committed))
  const made = text(committed)
  if (made === committed) return
  assert.fail(
    `you are here because ${file} is not what the code says now: run \`npm run generate\` (\`npm run generate -- all\` where the database says it) and look at the difference before you commit it\n${differenceOf(committed, made)}`,
  )
}

/** Lines shown of a difference. */
const SHOWN = 20

/** The lines in which two texts differ: `- ` as committed, `+ ` as made. */
function differenceOf(committed: string, made: string): string {
  const lines = diff(made.split('\n'), committed.split('\n')).flatMap(([kind, line]) =>
    kind === 0 ? [] : [`${kind < 0 ? '-' : '+'} ${line}`],
  )
  return [...lines.slice(0, SHOWN), ...(lines.length > SHOWN ? [`and ${lines.length - SHOWN} more lines`] : [])].join('\n')
}

/** Golden files: what the code says now, next to what was looked at and committed. */
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { diff } from 'node:util'

/** Set by `npm run generate` (generate.ts): golden files are written, not compared. */
export const updateVariable = 'INGOT_UPDATE_GOLDEN'

/** Compares a text with `test/golden/<name>`, or writes it there. */
export const assertGolden = (name: string, text: string): Promise<void> => assertGenerated(`test/golden/${name}`, () => text)

/** Compares a file of the repository with what `text` makes of it (of '' when there is none), or writes that. */
export async function assertGenerated(file: string, text: (committed: string) => string): Promise<void> {
  const path = join(import.meta.dirname, '..', file)
  const committed = await readFile(path, 'utf8').catch(() => '')
  // biome-ignore lint/style/noProcessEnv: the way from `npm run generate` to the tests
  if (process.env[updateVariable]) return writeFile(path, text(committed))
  const made = text(committed)
  if (made === committed) return
  assert.fail(
    `you are here because ${file} is not what the code says now: run \`npm run generate\` and look at the difference before you commit it\n${differenceOf(committed, made)}`,
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

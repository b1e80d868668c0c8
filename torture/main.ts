/**
 * `npm run torture`: does Ingot keep what it promises where machines, networks and people do their worst? docs/torture.md says what is tried.
 *
 *     npm run torture -- [<part>]... [--short] [--times <number>] [--seed <number>]
 */
import { parseArgs } from 'node:util'
import { backups } from './backups.ts'
import { crash } from './crash/crash.ts'
import { fuzz } from './fuzz/fuzz.ts'
import { overload } from './overload.ts'
import type { Part, Row } from './part.ts'
import { races } from './races/races.ts'
import { tableOf } from './report.ts'
import { several } from './several/several.ts'
import { soak } from './soak/soak.ts'
import { surroundings } from './surroundings/surroundings.ts'
import { endAll } from './victim.ts'

const parts: readonly Part[] = [crash, backups, surroundings, several, overload, fuzz, races, soak]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { short: { type: 'boolean', default: false }, times: { type: 'string' }, seed: { type: 'string' } },
})
const names = parts.map(({ name }) => name)
for (const name of positionals) if (!names.includes(name)) throw new Error(`there is no ${name} among ${names.join(', ')}`)

const number = (name: string, text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  if (!/^\d{1,9}$/.test(text)) throw new Error(`--${name} must be a whole number`)
  return Number(text)
}
const options = {
  long: !values.short,
  times: number('times', values.times),
  seed: number('seed', values.seed) ?? Date.now() % 1_000_000,
  say: (line: string) => void process.stdout.write(`${line}\n`),
}
const rows: Row[] = []
// What is ended takes its servers with it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void endAll().finally(() => process.exit(1)))

for (const part of parts) {
  if (positionals.length > 0 && !positionals.includes(part.name)) continue
  options.say(`${part.name} …`)
  rows.push(...(await part.run(options)))
}
options.say(`\n${tableOf(rows)}`)
if (rows.some(({ failures }) => failures.length > 0)) process.exitCode = 1

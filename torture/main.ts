/**
 * `npm run torture`: does Ingot keep what it promises where machines, networks and people do their worst? docs/torture.md says what is tried.
 *
 *     npm run torture -- [<part>]... [--short] [--times <number>] [--seed <number>] [--share <number>/<number>]
 *
 * `--share 2/5` races the second of five shares of the pairs, where five processes or machines race all of them.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { backups } from './backups.ts'
import { crash } from './crash/crash.ts'
import { fuzz } from './fuzz/fuzz.ts'
import { overload } from './overload.ts'
import { begun, type Part, type Row, type Share } from './part.ts'
import { races } from './races/races.ts'
import { tableOf, together } from './report.ts'
import { several } from './several/several.ts'
import { soak } from './soak/soak.ts'
import { surroundings } from './surroundings/surroundings.ts'
import { endAll } from './victim.ts'

/** Parts that one process tries one after the other, and which share of what they list. */
interface Line {
  readonly of: readonly Part[]
  readonly share?: string
}

/** These judge by the clock, a balancer's or their own: where all are tried, they come first and have the machine for themselves. */
const alone: readonly Part[] = [overload, several]

/** The others. Where all are tried, lines run side by side. The races wait more than they compute: two processes race them. */
const lines: readonly Line[] = [
  { of: [crash, surroundings] },
  { of: [races, backups], share: '1/2' },
  { of: [races, fuzz], share: '2/2' },
  { of: [soak] },
]
const parts: readonly Part[] = [...alone, ...new Set(lines.flatMap(line => line.of))]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: 'boolean', default: false },
    times: { type: 'string' },
    seed: { type: 'string' },
    share: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
const names = parts.map(({ name }) => name)
if (values.help) {
  process.stdout.write(
    `npm run torture -- [<part>]... [--short] [--times <number>] [--seed <number>] [--share <number>/<number>]\nParts: ${names.join(', ')}. docs/torture.md says what they try.\n`,
  )
  process.exit(0)
}
for (const name of positionals) if (!names.includes(name)) throw new Error(`there is no ${name} among ${names.join(', ')}`)

const number = (name: string, text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  if (!/^\d{1,9}$/.test(text)) throw new Error(`--${name} must be a whole number`)
  return Number(text)
}
const shareOf = (text: string | undefined): Share | undefined => {
  if (text === undefined) return undefined
  const [, at = 0, of = 0] = (/^(\d{1,3})\/(\d{1,3})$/.exec(text) ?? []).map(Number)
  if (at < 1 || at > of) throw new Error('--share must be a number of shares, and before it which of them: 1/3, 2/3 or 3/3')
  return { at: at - 1, of }
}
const options = {
  long: !values.short,
  times: number('times', values.times),
  share: shareOf(values.share),
  seed: number('seed', values.seed) ?? Date.now() % 1_000_000,
  say: (line: string) => void process.stdout.write(`${line}\n`),
}
const children = new Set<ChildProcess>()
let isEnding = false

/** Ends the servers, and says what was tried by then. Children are ended, and say it themselves. */
async function endEarly(): Promise<void> {
  if (isEnding) return
  isEnding = true
  for (const child of children) child.kill()
  if (children.size > 0) return
  await endAll()
  const rows = begun.map(tally => tally.toRow())
  if (process.send) process.send(rows, () => process.exit(1))
  else {
    options.say(`\nIt was ended early.\n${tableOf(rows)}`)
    process.exit(1)
  }
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void endEarly())

/** Tries parts one after the other. */
async function inTurn(some: readonly Part[]): Promise<Row[]> {
  const rows: Row[] = []
  for (const part of some) {
    const began = performance.now()
    options.say(`${part.name} …`)
    const own = await part.run(options)
    rows.push(...own)
    // Where many parts are tried, what is known of one remains if a later one is cut off.
    const known = some.length > 1 ? `\n${tableOf(own)}` : ''
    options.say(`${part.name}: ${Math.round((performance.now() - began) / 60_000)} minutes${known}`)
  }
  return rows
}

/** Tries the parts of a line in a process of its own. One that ends without its rows has failed. */
async function elsewhere({ of, share }: Line): Promise<readonly Row[]> {
  const own = of.map(({ name }) => name)
  const child = fork(import.meta.filename, [...process.argv.slice(2), ...own, ...(share ? ['--share', share] : [])])
  children.add(child)
  let rows: readonly Row[] = own.map(part => ({
    part,
    tried: 'all of it',
    times: 1,
    failures: [{ what: 'it ended', again: `npm run torture -- ${part}` }],
  }))
  child.on('message', sent => {
    rows = sent as Row[]
  })
  await once(child, 'close')
  if (!isEnding) children.delete(child)
  return rows
}

if (process.send) process.send(await inTurn(parts.filter(({ name }) => positionals.includes(name))), () => process.disconnect())
else {
  const asked = parts.filter(({ name }) => positionals.includes(name))
  const rows =
    positionals.length > 0 ? await inTurn(asked) : together([...(await inTurn(alone)), ...(await Promise.all(lines.map(elsewhere))).flat()])
  options.say(`\n${isEnding ? 'It was ended early.\n' : ''}${tableOf(rows)}`)
  if (isEnding || rows.some(({ failures }) => failures.length > 0)) process.exitCode = 1
}

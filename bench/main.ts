/**
 * `npm run bench`: how fast is Ingot, and how near to what the machine gives? docs/performance.md says how to read it.
 *
 *     npm run bench -- [--only <name>]... [--seconds <number>] [--size small|full] [--check]
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pino from 'pino'
import { parseConfig } from '../src/config.ts'
import { openInstance } from '../src/setup/instance.ts'
import type { Bench } from './bench.ts'
import { type HistoryProject, pushHistory } from './history_project.ts'
import { type RunningIngot, startIngot } from './ingot.ts'
import { memoryOf } from './memory.ts'
import { Report } from './report.ts'
import { measureRequest, restCases } from './requests.ts'
import { scimCases } from './scim.ts'
import { loadProvisioned, type ProvisionedGroup } from './scim_group.ts'
import { transferCases } from './transfers.ts'
import { loadWorld, type Size, sizes } from './world.ts'

interface Options {
  readonly size: Size
  readonly seconds: number
  /** Names of the measurements to make; all when empty. */
  readonly only: readonly string[]
  readonly check: boolean
}

const ROUNDS = 3

/** Long enough for what a load leaves behind (timers, checkpoints, collections) to come to rest, in milliseconds. */
const REST = 3_000

const requestCases = [...restCases, ...scimCases]
const names = [...requestCases, ...transferCases].map(({ name }) => name)

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true, default: [] },
      seconds: { type: 'string', default: '3' },
      size: { type: 'string', default: 'full' },
      check: { type: 'boolean', default: false },
    },
  })
  const seconds = Number(values.seconds)
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > 60) throw new Error('--seconds must be a whole number from 1 to 60')
  if (!(values.size in sizes)) throw new Error(`--size must be one of ${Object.keys(sizes).join(', ')}`)
  for (const name of values.only) if (!names.includes(name)) throw new Error(`--only must be one of ${names.join(', ')}`)
  return { size: sizes[values.size as keyof typeof sizes], seconds, only: values.only, check: values.check }
}

const say = (line: string) => process.stdout.write(`${line}\n`)

async function run(options: Options, scratch: string): Promise<Report> {
  const report = new Report()
  const dataDir = join(scratch, 'data')
  const ingot = await startIngot(dataDir)
  try {
    say(`Ingot made a database and listened after ${ingot.startedIn.toFixed(0)} ms`)
    await pause(REST)
    report.addMemory('after start', await memoryOf(ingot.pid), true)
    await measureAll(options, scratch, ingot, dataDir, report)
    await pause(REST)
    report.addMemory('after load', await memoryOf(ingot.pid), false)
    return report
  } finally {
    await ingot.stop()
  }
}

async function measureAll(options: Options, scratch: string, ingot: RunningIngot, dataDir: string, report: Report): Promise<void> {
  const { size, seconds, only } = options
  const config = parseConfig({}, {}, { dataDir, rateLimit: 'off', workers: '0' })
  const instance = await openInstance({ config, log: pino({ level: 'error' }), shared: true })
  try {
    const { deps } = instance
    const began = performance.now()
    const world = await loadWorld(deps.database, size)
    say(`${size.users} users, ${size.groups} groups, ${size.projects} projects loaded in ${(performance.now() - began).toFixed(0)} ms`)
    let history: Promise<HistoryProject> | undefined
    let provisioned: Promise<ProvisionedGroup> | undefined
    const bench: Bench = {
      ingot,
      deps,
      world,
      scratch,
      seconds,
      rounds: ROUNDS,
      history: () => {
        history ??= pushHistory(ingot, deps, scratch, size.commits)
        return history
      },
      provisioned: () => {
        provisioned ??= loadProvisioned(deps.database, size.identities)
        return provisioned
      },
    }
    const wanted = (name: string) => only.length === 0 || only.includes(name)
    for (const request of requestCases.filter(({ name }) => wanted(name))) {
      say(`measuring ${request.name}`)
      report.addRequest(request, await measureRequest(bench, request))
    }
    for (const transfer of transferCases.filter(({ name }) => wanted(name))) {
      say(`measuring ${transfer.name}`)
      report.addTransfer(transfer.name, await transfer.measure(bench))
    }
  } finally {
    await instance.close()
  }
}

const options = readOptions()
const scratch = await mkdtemp(join(tmpdir(), 'ingot-bench-'))
try {
  // Under root the database runs as another user, who must be able to enter.
  await chmod(scratch, 0o755)
  const report = await run(options, scratch)
  say(`\n${report}\n${cpus().length} × ${cpus()[0]?.model.trim()}, ${(totalmem() / 1e9).toFixed(0)} GB, Node ${process.versions.node}`)
  if (options.check) for (const { says, isMet } of report.targets) say(`${isMet ? 'met' : 'NOT met'}: ${says}`)
} finally {
  await rm(scratch, { recursive: true, force: true })
}

/** Several: two servers of one instance, of which one is killed, and then each is stopped and started again, while many write through a balancer. */
import { access } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { chanceFrom } from '../chance.ts'
import { judgeByCheck, judgeByGit, judgeNumbers } from '../crash/judges.ts'
import { Ledger } from '../crash/ledger.ts'
import { awaitReady, startWriting } from '../crash/work.ts'
import { makeWorld, type World } from '../crash/world.ts'
import { type Options, type Part, type Row, Tally } from '../part.ts'
import type { Victim } from '../victim.ts'
import { type Cluster, NGINX, startCluster } from './cluster.ts'

/** Seconds of writing before, while and after something is done to a server. */
const SECONDS = { short: 1, long: 8 } as const
/** How often a server is killed. */
const KILLS = { short: 2, long: 10 } as const
/** How often both are started again, one after the other. */
const ROLLS = { short: 1, long: 5 } as const
/** Reading requests under way while servers are stopped. */
const READERS = 8

/** What the balancer says where a server went away in the midst of a request. */
const CUT = [0, 502, 504]

interface Tallies {
  readonly killed: Tally
  readonly rolled: Tally
  readonly kept: Tally
  readonly once: Tally
  readonly heard: Tally
}

async function killOne(world: World, victim: Victim, tallies: Tallies, seconds: number, again: string): Promise<void> {
  const { victim: sender, ledger } = world
  sender.onAnswer = (request, status) => {
    const isClear = status < 500 || status === 503 || CUT.includes(status)
    tallies.killed.count(isClear ? undefined : `${request} is answered with ${status}`, again)
  }
  const stopWriting = startWriting(world)
  await delay(seconds * 1_000)
  await victim.running.end('SIGKILL')
  const before = ledger.total
  await delay(seconds * 1_000)
  if (ledger.total === before) tallies.killed.fail('nothing is written while one server is gone', again)
  await victim.start()
  await delay(seconds * 500)
  await stopWriting()
  sender.onAnswer = () => {}
  await ledger.verify(tallies.kept, ledger.round, 20, again)
}

/** Both are stopped and started, one after the other; no request is without its answer. */
async function roll(cluster: Cluster, world: World, tally: Tally, seconds: number, again: string): Promise<void> {
  const { victim: sender, projects } = world
  let isOver = false
  const judge = (request: string, status: number) =>
    tally.count(status === 0 || status >= 500 ? `${request} is answered with ${status}` : undefined, again)
  sender.onAnswer = judge
  const read = async () => {
    while (!isOver) await sender.call('GET', `/projects/${projects[0]!.id}/issues`).catch(() => {})
  }
  const reading = Array.from({ length: READERS }, read)
  const stopWriting = startWriting(world)
  for (const member of cluster.members) {
    await delay(seconds * 1_000)
    const { code, stderr } = await member.stop()
    if (code !== 0) tally.fail(`a server ends with ${code}: ${stderr.slice(-300)}`, again)
    await member.start()
  }
  await delay(seconds * 500)
  isOver = true
  await Promise.all([stopWriting(), ...reading])
  sender.onAnswer = () => {}
}

/** A runner that waits at one server has the job that is made by way of the other one. */
async function hearOfJobs({ members }: Cluster, { projects, runners, victim }: World, tally: Tally, again: string): Promise<void> {
  const { id } = projects[0]!
  const ask = (member: Victim) =>
    fetch(`${member.running.url}/api/v4/jobs/request`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: runners[2] }),
      signal: AbortSignal.timeout(60_000),
    })
  // The queue is emptied first.
  while ((await ask(members[0])).status === 201);
  for (const waiting of members) {
    const began = performance.now()
    const asked = ask(waiting)
    await delay(500)
    const other = members.find(member => member !== waiting)!
    const made = await fetch(`${other.running.url}/api/v4/projects/${id}/pipeline?ref=main`, {
      method: 'POST',
      headers: { 'private-token': victim.token },
    })
    const { status } = await asked
    const isHeard = made.status === 201 && status === 201
    tally.count(isHeard ? undefined : `a runner was answered with ${status} after ${Math.round(performance.now() - began)} ms`, again)
    while ((await ask(members[0])).status === 201);
  }
}

/** A schedule for every minute has one pipeline a minute. */
async function fireSchedules({ victim, projects }: World, tally: Tally, minutes: number, again: string): Promise<void> {
  const { id } = projects[1]!
  const actions = [{ action: 'create', file_path: '.gitlab-ci.yml', content: 'job: {script: [do it]}' }]
  await victim.make(`/projects/${id}/repository/commits`, {
    branch: 'scheduled',
    start_branch: 'main',
    commit_message: 'Add a job',
    actions,
  })
  for (let n = 0; n < 5; n++)
    await victim.make(`/projects/${id}/pipeline_schedules`, {
      description: `Often ${n}`,
      ref: 'scheduled',
      cron: '* * * * *',
      active: true,
    })
  await delay(minutes * 60_000 + 15_000)
  const pipelines = await victim.all<{ created_at: string }>(`/projects/${id}/pipelines?source=schedule`)
  const byMinute = Map.groupBy(pipelines, ({ created_at }) => created_at.slice(0, 16))
  tally.count(pipelines.length === 0 ? 'no schedule fired' : undefined, again)
  for (const [minute, made] of byMinute)
    tally.count(made.length > 5 ? `5 schedules made ${made.length} pipelines at ${minute}` : undefined, again)
}

async function run(options: Options): Promise<Row[]> {
  const { long, seed, say } = options
  const form = long ? 'long' : 'short'
  const tallies: Tallies = {
    killed: new Tally('several', 'answers while one of two is killed'),
    rolled: new Tally('several', 'requests while both are restarted in turn'),
    kept: new Tally('several', 'acknowledged things'),
    once: new Tally('several', 'schedules, checks and fsck of the shared instance'),
    heard: new Tally('several', 'jobs made at the other server'),
  }
  const rows = () => Object.values(tallies).map(tally => (tally as Tally).toRow())
  const hasNginx = await access(NGINX).then(
    () => true,
    () => false,
  )
  if (!hasNginx) {
    tallies.killed.note = 'not tried: nginx is not installed'
    return rows()
  }
  const again = `npm run torture -- several --seed ${seed}`
  const cluster = await startCluster(['--runner-wait', '10'])
  try {
    const [sender] = cluster.members
    const ledger = new Ledger()
    const world = await makeWorld(sender, ledger, chanceFrom(seed))
    ledger.isSentTwice = true
    for (let kill = 1; kill <= (options.times ?? KILLS[form]); kill++) {
      ledger.round = kill
      await killOne(world, cluster.members[kill % 2]!, tallies, SECONDS[form], `${again}: kill ${kill}`)
    }
    say(`several: ${tallies.killed.times} answers around kills`)
    ledger.round += 1
    for (let n = 1; n <= ROLLS[form]; n++) await roll(cluster, world, tallies.rolled, SECONDS[form], `${again}: restart ${n}`)
    for (const member of cluster.members) await awaitReady(member)
    await ledger.verify(tallies.kept, 0, 1, again)
    await hearOfJobs(cluster, world, tallies.heard, again)
    if (long) await fireSchedules(world, tallies.once, 3, again)
    for (const { id } of world.projects) await judgeNumbers(sender, id, tallies.once, again)
    await judgeByCheck(sender, tallies.once, again)
    await judgeByGit(sender, tallies.once, again)
  } finally {
    await cluster.close()
  }
  return rows()
}

export const several: Part = { name: 'several', run }

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scheduleOf, type WaitingJob } from './scheduling.ts'
import { statusOf } from './status.ts'

/** `name@stage status [when] [words]`; `dag` with what it needs after a colon. */
function world(lines: readonly string[]) {
  const needs = new Map<number, string[]>()
  const jobs = lines.map((line, index): WaitingJob => {
    const [what, needed] = line.split(':')
    const [name = '', stage = '0', status, ...words] = what!.trim().split(/[@ ]/)
    if (needed !== undefined) needs.set(index, needed.split(' ').filter(Boolean))
    const when = (['on_failure', 'always', 'manual', 'delayed'] as const).find(word => words.includes(word)) ?? 'on_success'
    return {
      id: index,
      name,
      stage_position: Number(stage),
      status: status as WaitingJob['status'],
      when,
      allow_failure: words.includes('allowed'),
      scheduling: needed === undefined ? 'stage' : 'dag',
      resource_group_id: words.includes('resource') ? 1 : null,
    }
  })
  return { jobs, needs }
}

function outcome(lines: readonly string[]): string {
  const { jobs, needs } = world(lines)
  const { moves, status } = scheduleOf(jobs, needs)
  const moved = [...moves].map(([event, ids]) => `${event} ${ids.map(id => jobs[id]!.name).join(' ')}`)
  return [...moved, status].join(', ')
}

const table: readonly [lines: string[], outcome: string][] = [
  [['a@0 created', 'b@0 created', 'c@1 created'], 'enqueue a b, pending'],
  [['a@0 success', 'b@0 running', 'c@1 created'], 'running'],
  [['a@0 success', 'b@0 success', 'c@1 created'], 'enqueue c, running'],
  [['a@0 success', 'c@1 success'], 'success'],
  // What failed keeps later stages from running, and what waits for failures starts.
  [['a@0 failed', 'b@1 created', 'c@2 created on_failure', 'd@3 created always'], 'skip b, enqueue c, running'],
  [['a@0 failed', 'b@1 created', 'c@2 created'], 'skip b c, failed'],
  [['a@0 success', 'b@1 created on_failure', 'c@2 created'], 'skip b, enqueue c, running'],
  [['a@0 canceled', 'b@1 created', 'c@2 created always'], 'skip b c, canceled'],
  // A failure that is allowed is none.
  [['a@0 failed allowed', 'b@1 created'], 'enqueue b, pending'],
  [['a@0 failed allowed', 'b@1 success'], 'success'],
  // A manual job blocks, unless it may be left out.
  [['a@0 created manual', 'b@1 created'], 'actionize a, manual'],
  [['a@0 created manual allowed', 'b@1 created'], 'actionize a, enqueue b, pending'],
  [['a@0 manual allowed', 'b@1 success'], 'success'],
  [['a@0 manual allowed', 'b@1 manual allowed'], 'skipped'],
  [['a@0 success', 'b@1 created delayed', 'c@2 created'], 'schedule b, scheduled'],
  [['a@0 created resource', 'b@1 created'], 'wait a, waiting_for_resource'],
  // The DAG does not wait for stages.
  [['a@0 running', 'b@0 success', 'c@1 created:b', 'd@1 created:a', 'e@2 created:', 'f@1 created'], 'enqueue c e, running'],
  [['a@0 failed', 'b@0 running', 'c@1 created:a', 'd@2 created:c', 'e@2 created always:a b'], 'skip c d, running'],
  [['a@0 failed', 'b@0 success', 'c@1 created on_failure:a', 'd@2 created always:a b'], 'enqueue c d, running'],
  // What it needs has not run at all, so neither does it.
  [['a@0 manual allowed', 'b@0 success', 'c@1 created:a b'], 'skip c, success'],
  [['a@0 manual', 'c@1 created:a'], 'manual'],
  [['a@0 failed allowed', 'c@1 created:a'], 'enqueue c, pending'],
  // A cycle, which plans refuse, hangs and does not loop.
  [['a@0 created:b', 'b@0 created:a'], 'created'],
]

test('jobs have their turn by stage or by need, as `when` and `allow_failure` say', () => {
  for (const [lines, expected] of table) assert.equal(outcome(lines), expected, lines.join(' | '))
})

test('processing once more changes nothing', () => {
  for (const [lines] of table) {
    const { jobs, needs } = world(lines)
    const first = scheduleOf(jobs, needs)
    const to = { enqueue: 'pending', skip: 'skipped', actionize: 'manual', schedule: 'scheduled', wait: 'waiting_for_resource' } as const
    const moved = jobs.map(job => {
      const event = [...first.moves].find(([, ids]) => ids.includes(job.id))?.[0] as keyof typeof to | undefined
      return event ? { ...job, status: to[event] } : job
    })
    const second = scheduleOf(moved, needs)
    assert.equal(second.moves.size, 0, lines.join(' | '))
    assert.equal(second.status, first.status)
  }
})

/** Needs, and how often any were asked for. */
class CountedNeeds extends Map<number, string[]> {
  asked = 0

  override get(id: number): string[] | undefined {
    this.asked += 1
    return super.get(id)
  }
}

test('a chain of a thousand skipped jobs is computed in one pass: the needs of each job are requested one time', () => {
  const lines = Array.from({ length: 1_000 }, (_, at) => (at === 0 ? 'j0@0 failed' : `j${at}@1 created:j${at - 1}`))
  const { jobs, needs } = world(lines)
  const counted = new CountedNeeds(needs)
  const { moves, status } = scheduleOf(jobs, counted)
  assert.equal(counted.asked, 999)
  assert.equal(moves.get('skip')?.length, 999)
  assert.equal(status, 'failed')
})

test('the status of a pipeline follows from those of its jobs', () => {
  const words = (text: string) =>
    text.split(' ').map(word => ({ status: word.replace('?', '') as WaitingJob['status'], allow_failure: word.endsWith('?') }))
  const statuses: readonly [string, string][] = [
    ['success skipped failed? manual?', 'success'],
    ['created manual?', 'created'],
    ['success canceled', 'canceled'],
    ['success canceled?', 'success'],
    ['created success', 'running'],
    ['pending created manual?', 'pending'],
    ['failed running', 'running'],
    ['failed manual', 'manual'],
    ['failed success', 'failed'],
    ['waiting_for_resource success', 'waiting_for_resource'],
    ['scheduled success', 'scheduled'],
    ['skipped manual?', 'skipped'],
  ]
  for (const [jobs, expected] of statuses) assert.equal(statusOf(words(jobs)), expected, jobs)
})

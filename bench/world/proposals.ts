/** A thousand merge requests in the project with the long history, made as people make them: a push of their branches, and the API. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../src/platform/db/connection.ts'
import { environment } from '../environment.ts'
import { git } from '../git.ts'
import { pathOf } from '../history.ts'
import type { HistoryProject } from '../history_project.ts'
import type { RunningIngot } from '../ingot.ts'
import { inParallel } from '../parallel.ts'

/** What requests need to know of them. */
export interface Proposals {
  readonly project: HistoryProject
  /** The number of one that changes two hundred files, and its branches' commits. */
  readonly wide: { readonly iid: number; readonly base: string; readonly head: string }
  /** The ids of the others, with their commits. */
  readonly narrow: readonly { readonly id: number; readonly head: string }[]
  /** The tip of the target branch. */
  readonly start: string
}

const COUNT = 1_000
/** Half of them of the history, which has that many from its beginning, half new. */
const WIDE_FILES = 200

/** Branches begin at the newest commits of `main`, in turn. */
const BEGINNINGS = 100

const CONNECTIONS = 4

export async function makeProposals({ url, token }: RunningIngot, { db }: Database, project: HistoryProject): Promise<Proposals> {
  const { id: projectId, local, cloneUrl } = project
  const beginnings = (await git(['-C', local, 'rev-list', '-n', String(BEGINNINGS), 'main'])).trim().split('\n')
  const importer = spawn('git', ['-C', local, 'fast-import', '--quiet'], { env: environment, stdio: ['pipe', 'ignore', 'inherit'] })
  const ended = once(importer, 'exit')
  await pipeline(Readable.from(branchesOn(beginnings)), importer.stdin)
  await ended
  await git(['-C', local, 'push', '--quiet', cloneUrl, 'refs/heads/*:refs/heads/*'])
  const propose = async (source_branch: string) => {
    const answer = await fetch(`${url}/api/v4/projects/${projectId}/merge_requests`, {
      method: 'POST',
      headers: { 'private-token': token, 'content-type': 'application/json' },
      body: JSON.stringify({ source_branch, target_branch: 'main', title: `Mend ${source_branch}`, description: 'What it mends, and why' }),
    })
    if (answer.status !== 201) throw new Error(`POST merge_requests was answered ${answer.status}: ${await answer.text()}`)
    const { id, iid, sha } = (await answer.json()) as { id: number; iid: number; sha: string }
    return { id, iid, head: sha }
  }
  const wide = await propose('wide')
  const narrow = await inParallel(
    CONNECTIONS,
    Array.from({ length: COUNT - 1 }, (_, index) => index),
    index => propose(`topic-${index}`),
  )
  await checked(db, projectId)
  const start = beginnings[0] as string
  return { project, wide: { iid: wide.iid, base: start, head: wide.head }, narrow, start }
}

/** Resolves once the worker has nothing more to find out about them. */
async function checked(db: Database['db'], projectId: number): Promise<void> {
  const isOpen = () =>
    db
      .selectFrom('merge_requests')
      .select('id')
      .where('project_id', '=', projectId)
      .where('merge_status', 'in', ['unchecked', 'checking'])
      .limit(1)
      .executeTakeFirst()
  while (await isOpen()) await pause(200)
}

function* branchesOn(beginnings: readonly string[]): Generator<string> {
  for (let index = 0; index < COUNT - 1; index++)
    yield commitOn(`topic-${index}`, beginnings[index % beginnings.length] as string, [
      [`proposed/part-${index % 30}/file-${index}.txt`, index],
    ])
  const files = Array.from({ length: WIDE_FILES }, (_, index): [string, number] => [
    index % 2 === 0 ? pathOf(index / 2) : `proposed/wide/file-${index}.txt`,
    index,
  ])
  yield commitOn('wide', beginnings[0] as string, files)
}

function commitOn(branch: string, from: string, files: readonly (readonly [path: string, seed: number])[]): string {
  const person = 'Person 1 <person-1@example.com> 1700000000 +0000'
  const message = `Mend ${branch}\n`
  const head = `commit refs/heads/${branch}\nauthor ${person}\ncommitter ${person}\ndata ${Buffer.byteLength(message)}\n${message}from ${from}\n`
  const changes = files.map(([path, seed]) => {
    const text = Array.from({ length: 40 }, (_, line) => `line ${line} of what ${(seed * 7919 + line * 31) % 997} mends\n`).join('')
    return `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`
  })
  return `${head}${changes.join('')}\n`
}

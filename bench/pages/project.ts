/** A project to look at in a browser: a long history with a wide directory, long and large files, a difference of many files. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { call } from '../api.ts'
import { environment } from '../environment.ts'
import { git } from '../git.ts'
import { createProject } from '../history_project.ts'
import type { RunningIngot } from '../ingot.ts'
import type { Site } from '../site.ts'
import { makeIssues } from './issues.ts'
import { cookieOf } from './session.ts'

export interface PageProject {
  readonly id: number
  /** `/root/browsed` */
  readonly path: string
  /** A session of the member whom the requests of the bench have, `name=value`. */
  readonly cookie: string
  /** Adds a commit to `main`: what is kept of its last one counts no more. */
  advance(): Promise<void>
}

/** Entries of the directory `wide`; the second half has not changed since the first commit. */
const WIDE = 1_000
/** Entries of the directory `hundred`. */
const HUNDRED = 100
/** Of the branch `many`, of a hundred new lines each. */
const MANY_FILES = 200
const MANY_LINES = 100

/** Pushes the project, and signs the member in. */
export async function makePageProject(ingot: RunningIngot, { deps, world }: Site, scratch: string, commits: number): Promise<PageProject> {
  const local = join(scratch, 'pages.git')
  await git(['init', '--bare', '--quiet', '--initial-branch=main', '--template=', local])
  const importer = spawn('git', ['-C', local, 'fast-import', '--quiet'], { env: environment, stdio: ['pipe', 'ignore', 'inherit'] })
  const ended = once(importer, 'exit')
  await pipeline(Readable.from(historyOf(commits)), importer.stdin)
  const [code] = await ended
  if (code !== 0) throw new Error(`git fast-import ended with ${code}`)
  await git(['-C', local, 'repack', '-a', '-d', '-q'])
  const { id, cloneUrl } = await createProject(ingot, 'browsed')
  await git(['-C', local, 'push', '--quiet', cloneUrl, 'main', 'many'])
  await makeIssues(ingot, deps.database, id)
  await call(ingot, 'POST', `/projects/${id}/merge_requests`, { source_branch: 'many', target_branch: 'main', title: 'Change many files' })
  await afterPush(deps, id)
  const cookie = await cookieOf(deps, world.userId)
  let round = 0
  return {
    id,
    path: '/root/browsed',
    cookie,
    async advance() {
      const actions = [{ action: 'create', file_path: `advanced/${++round}.txt`, content: 'Once.\n' }]
      await call(ingot, 'POST', `/projects/${id}/repository/commits`, { branch: 'main', commit_message: 'Advance', actions })
    },
  }
}

/** What a push leaves to do, by the names of its tasks. */
const AFTER_PUSH = ['survey_repository', 'survey_languages', 'index_history', 'follow_push', 'tidy_repository']

/** In milliseconds. */
const PAUSE = 500
const PATIENCE = 120_000

/** Waits until the counts, the languages and the index of a project's history are made: they take seconds of the processor, beside which nothing is measured. */
async function afterPush({ database }: Site['deps'], projectId: number): Promise<void> {
  const until = Date.now() + PATIENCE
  for (;;) {
    const { rows } = await database.pool.query<{ key: string }>(
      'select key from graphile_worker.jobs where task_identifier = any($1) and key like $2 and run_at < now() + $3::interval',
      [AFTER_PUSH, `% ${projectId}`, '1 minute'],
    )
    if (rows.length === 0) return
    if (Date.now() > until) throw new Error(`still to do after the push: ${rows.map(({ key }) => key).join(', ')}`)
    await delay(PAUSE)
  }
}

const source = (lines: number, seed: number): string =>
  Array.from(
    { length: lines },
    (_, line) => `export const value${line} = compute('part ${line}', ${(line * 31 + seed) % 997}) // why\n`,
  ).join('')

/** A megabyte of it. */
const LARGE_LINES = 18_000

function* historyOf(commits: number): Generator<string> {
  yield commitOn('main', 0, [
    ...Array.from({ length: WIDE }, (_, file): Change => [`wide/file-${file}.txt`, `${file}\n`]),
    ...Array.from({ length: HUNDRED }, (_, file): Change => [`hundred/module-${file}.ts`, source(3, file)]),
    ...Array.from({ length: MANY_FILES }, (_, file): Change => [`many/module-${file}.ts`, source(MANY_LINES, file)]),
    ['README.md', '# Browsed\n\nA project to look at.\n'],
    ['long.ts', source(1_000, 1)],
    ['large.ts', source(LARGE_LINES, 2)],
  ])
  for (let number = 1; number < commits; number++) {
    const file = (number * 7919) % (WIDE / 2)
    const changes: Change[] = [[`wide/file-${file}.txt`, `${file} in ${number}\n`]]
    if (number % 10 === 0) changes.push([`hundred/module-${(number / 10) % HUNDRED}.ts`, source(3, number)])
    yield commitOn('main', number, changes)
  }
  const all = Array.from({ length: MANY_FILES }, (_, file): Change => [`many/module-${file}.ts`, source(MANY_LINES, file + 500)])
  yield commitOn('many', commits, all, 'main')
}

type Change = readonly [path: string, text: string]

const EPOCH = 1_609_459_200 // 2021-01-01

function commitOn(branch: string, number: number, changes: readonly Change[], from?: string): string {
  const person = `Person ${number % 40} <person-${number % 40}@example.com> ${EPOCH + number * 600} +0000`
  const message = `Change ${number}\n`
  const head = `commit refs/heads/${branch}\nauthor ${person}\ncommitter ${person}\ndata ${message.length}\n${message}`
  const files = changes.map(([path, text]) => `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`)
  return `${head}${from === undefined ? '' : `from refs/heads/${from}\n`}${files.join('')}\n`
}

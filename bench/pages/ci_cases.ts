/** Pages of CI/CD, of settings and of the administration: beside a million jobs, with a thousand in one graph, and with a long log. */
import type { Bench } from '../bench.ts'
import type { DurationCase } from '../durations.ts'
import type { BuiltProject } from './builds.ts'
import { servedPage } from './cases.ts'
import { followed } from './followed.ts'
import { inBrowser, type Visit, visit } from './visit.ts'

const served = (name: string, most: number, pathOf: (project: BuiltProject) => string): DurationCase =>
  servedPage(name, most, async bench => {
    const project = await bench.built()
    return { cookie: project.cookie, path: pathOf(project) }
  })

/** A page in a browser, each time a new one: what `of` reads, after `afterwards` is done. */
const visited = (name: string, most: number, pathOf: (project: BuiltProject) => string, of: (visit: Visit) => number): DurationCase => ({
  name,
  unit: 'ms',
  promise: { most },
  async measure(bench) {
    const project = await bench.built()
    const { url } = bench.ingot
    const target = await inBrowser(url, async browser => {
      const made: number[] = []
      for (let round = 0; round < bench.rounds; round++)
        made.push(of(await visit(browser, { url, cookie: project.cookie, path: pathOf(project) })))
      return made
    })
    return { target, floor: [] }
  },
})

/** How long after `change` a page of the project shows it. */
const followedOn = (
  name: string,
  most: number,
  pathOf: (project: BuiltProject) => string,
  change: (bench: Bench, project: BuiltProject, round: number) => Promise<void>,
  sign: (round: number) => string,
): DurationCase =>
  followed(name, most, {
    async pageOf(bench) {
      const project = await bench.built()
      return { cookie: project.cookie, path: pathOf(project) }
    },
    change: async (bench, round) => change(bench, await bench.built(), round),
    sign,
  })

/** Ends a job of the graph, or takes that back. */
async function endJob({ deps }: Bench, { jobOfPipeline }: BuiltProject, round: number): Promise<void> {
  await deps.database.db
    .updateTable('jobs')
    .set({ status: round % 2 === 0 ? 'failed' : 'success' })
    .where('id', '=', jobOfPipeline)
    .execute()
}

const lineOf = (round: number): string => `line ${round} of the runner`

/** Bytes that were written to the log in this run, besides those that it had. */
let written = 0

/** Writes a line as a runner does. */
async function writeLine({ ingot }: Bench, { logged }: BuiltProject, round: number): Promise<void> {
  const body = `${lineOf(round)}\n`
  const from = logged.bytes + written
  const answer = await fetch(`${ingot.url}/api/v4/jobs/${logged.id}/trace`, {
    method: 'PATCH',
    headers: { 'job-token': logged.token, 'content-type': 'text/plain', 'content-range': `${from}-${from + body.length - 1}` },
    body,
  })
  if (answer.status !== 202) throw new Error(`the log was answered ${answer.status}: ${await answer.text()}`)
  written += body.length
}

const graph = ({ path, pipelineId }: BuiltProject) => `${path}/-/pipelines/${pipelineId}`
const log = ({ path, logged }: BuiltProject) => `${path}/-/jobs/${logged.id}`

const listed: readonly (readonly [name: string, path: string])[] = [
  ['pipelines of a project', '/-/pipelines'],
  ['pipelines of a project that failed', '/-/pipelines?status=failed'],
  ['pipelines of a branch', '/-/pipelines?ref=branch-7'],
  ['jobs of a project', '/-/jobs'],
  ['artifacts of a project, newest first', '/-/artifacts'],
  ['artifacts of a project, largest first', '/-/artifacts?order_by=size&sort=desc'],
  ['CI/CD usage of a project, 90 days', '/-/pipelines/charts?days=90'],
]

const small: readonly (readonly [name: string, path: string])[] = [
  ['general settings', '/-/edit'],
  ['CI/CD settings', '/-/settings/ci_cd'],
  ['variables', '/-/variables'],
  ['runners', '/-/runners'],
  ['hooks', '/-/hooks'],
  ['environments', '/-/environments'],
]

export const ciPageCases: readonly DurationCase[] = [
  ...listed.map(([name, path]) => served(name, 100, project => project.path + path)),
  served('jobs of the instance', 100, () => '/admin/jobs'),
  served('failed jobs of the instance', 100, () => '/admin/jobs?status=failed'),
  served('CI/CD usage of the instance, 90 days', 100, () => '/admin/ci/usage?days=90'),
  ...small.map(([name, path]) => served(name, 20, project => project.path + path)),
  served('runners of the instance', 20, () => '/admin/runners'),
  served('overview of the administration', 100, () => '/admin'),
  served('graph of 1,000 jobs', 500, graph),
  visited('graph of 1,000 jobs, painted', 500, graph, ({ paint }) => paint),
  followedOn(
    'graph of 1,000 jobs, until a change is seen',
    1_500,
    graph,
    endJob,
    round => `(document.querySelector('.pipeline-graph a.job[aria-label$=": Failed"]') ${round % 2 === 0 ? '!==' : '==='} null)`,
  ),
  served('log of 50 MB', 100, log),
  visited('log of 50 MB, painted', 500, log, ({ paint }) => paint),
  followedOn(
    'log of 50 MB, until a line is seen',
    1_000,
    log,
    writeLine,
    round => `document.querySelector('.log').textContent.includes(${JSON.stringify(lineOf(round))})`,
  ),
]

/** For tests: sites made by jobs as runners run them, and browsers that ask for any host. */
import assert from 'node:assert/strict'
import { type IncomingHttpHeaders, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { atEnd } from '../../../test/at_end.ts'
import type { Client, Scene, SceneProject } from '../../../test/scene.ts'
import { uploadTo } from '../../ci/artifacts/scene.ts'
import { zipOf } from '../../ci/artifacts/zip/scene.ts'
import { processPipeline } from '../../ci/pipeline_processing/process.ts'
import { registered, runOf } from '../../ci/runner_protocol/scene.ts'
import type { SitesAddress } from '../../platform/config.ts'
import { publishSite } from './publish.ts'
import { type SitesServer, startSitesServer } from './serving/server.ts'

export interface SiteAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  readonly text: string
}

/** Sends a request to the server of sites as it stands: the path is not looked at. */
export async function askSite(
  server: Pick<SitesServer, 'port'>,
  host: string,
  path: string,
  { method = 'GET', ...headers }: Record<string, string> = {},
): Promise<SiteAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<SiteAnswer>()
  const sent = request({ host: '127.0.0.1', port: server.port, method, path, headers: { host, ...headers }, agent: false }, answer => {
    buffer(answer).then(
      bytes => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes, text: bytes.toString() }),
      error => reject(error),
    )
  })
  sent.once('error', reject)
  sent.end()
  return promise
}

/** What a browser says of itself. */
export const asBrowser = { accept: 'text/html,application/xhtml+xml' }

const ciFile = 'pages: { script: [make], artifacts: { paths: [public] } }\n'

/** Runs a `pages` job of a project to its success, as a runner does; the archive is what it leaves, none for undefined. */
export async function runPagesJob(scene: Scene, project: SceneProject, by: Client, archive: Buffer | undefined) {
  const runner = await registered(scene, { project })
  const { status, body: pipeline } = await by.post(`${project.url}/pipeline`, { ref: 'main' })
  assert.equal(status, 201, JSON.stringify(pipeline))
  await processPipeline(scene.deps, { pipeline_id: pipeline.id })
  const job = (await runner.ask()).body as { id: number; token: string; variables: { key: string; value: string }[] }
  if (archive) assert.equal((await uploadTo(scene, job, archive)).status, 201)
  assert.equal((await runOf(scene.anonymous, job).finish('success', '')).status, 200)
  await processPipeline(scene.deps, { pipeline_id: pipeline.id })
  const { rows } = await statuses(scene, pipeline.id)
  return { job, pipeline, waiting: rows[0] }
}

const statuses = async (scene: Scene, pipelineId: number) => ({
  rows: await scene.deps.database.db
    .selectFrom('jobs')
    .select(['id', 'status'])
    .where('pipeline_id', '=', pipelineId)
    .where('name', '=', 'pages:deploy')
    .where('retried', '=', false)
    .execute(),
})

/** The same up to the site; answers the status that the pipeline shows. */
export async function publish(scene: Scene, project: SceneProject, by: Client, archive: Buffer | undefined) {
  const { job, pipeline, waiting } = await runPagesJob(scene, project, by, archive)
  assert.equal(waiting?.status, 'running', 'the status runs as long as nothing is published')
  await publishSite(scene.deps, { job_id: job.id, status_id: waiting.id })
  const { body } = await scene.root.get(`${project.url}/repository/commits/${pipeline.sha}/statuses`, { all: true, per_page: 100 })
  return { job, pipeline, status: body.find((status: { id: number }) => status.id === waiting.id) }
}

/** A project with a `pages` job. */
export const withCiFile = (scene: Scene, project: SceneProject): Promise<string> => scene.commit(project, { '.gitlab-ci.yml': ciFile })

/** A project with a site of these files. */
export async function siteIn(scene: Scene, project: SceneProject, by: Client, files: Readonly<Record<string, Buffer | string>>) {
  await withCiFile(scene, project)
  return publish(scene, project, by, await zipOf(files))
}

/** The server of sites of a scene, until its file ends. */
export async function sitesOf(scene: Scene): Promise<SitesServer> {
  const server = await startSitesServer(scene.deps, scene.deps.config.pagesUrl as SitesAddress)
  atEnd(() => server.stop())
  return server
}

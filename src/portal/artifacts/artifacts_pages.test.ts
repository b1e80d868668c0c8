/** The page of a project's artifacts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { openScene, type Person, type SceneProject } from '../../../test/scene.ts'
import { uploadTo } from '../../ci/artifacts/scene.ts'
import { zipOf } from '../../ci/artifacts/zip/scene.ts'
import { runningJob, type SceneJobOptions } from '../../ci/jobs/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)

/** A member of a project in a browser. */
async function memberOf(project: { readonly url: string }, access_level: number) {
  const member = await surfer()
  await scene.root.post(`${project.url}/members`, { user_id: member.person.id, access_level })
  return member
}

/** A job of a project with an archive. */
async function jobLeaving(project: SceneProject, owner: Person, input: SceneJobOptions, size = 1) {
  const job = await runningJob(scene, project, owner, input)
  await uploadTo(scene, job, await zipOf({ 'out.txt': 'a'.repeat(size) }), { expire_in: '1 day' })
  return job
}

test('a maintainer keeps the artifacts of a job and deletes those of chosen ones; the page stays in its order', async () => {
  const { project, owner } = await scene.project({})
  const [first, second, third] = [
    await jobLeaving(project, owner, { name: 'build <one>' }),
    await jobLeaving(project, owner, { name: 'build two' }),
    await jobLeaving(project, owner, { name: 'build three' }),
  ]
  const [maintainer, guest] = [await memberOf(project, 40), await memberOf(project, 10)]
  const address = `/${project.full_path}/-/artifacts`

  const page = String((await maintainer.get(address)).body)
  const kept = await maintainer.submit(`${address}/jobs/${third.id}/keep`, [['job_ids[]', String(first.id)]])
  const none = await maintainer.submit(`${address}/bulk_destroy`, {})
  const deleted = await maintainer.submit(
    `${address}/bulk_destroy`,
    [first.id, second.id].map(id => ['job_ids[]', String(id)] as const),
  )
  const after = String((await maintainer.get(`${address}?order_by=size&sort=asc`)).body)

  assert.match(page, /build three[\s\S]*build two[\s\S]*build &lt;one&gt;/)
  assert.equal(kept.status, 303)
  assert.equal(none.status, 303)
  assert.deepEqual([deleted.status, deleted.headers.location], [303, address])
  assert.match(after, /build three[\s\S]*kept for good/)
  assert.doesNotMatch(after, /build two|&lt;one&gt;/)
  assert.doesNotMatch(String((await guest.get(address)).body), /bulk_destroy"|>Delete/)
})

test('pages follow one another in each order, and nothing is shown twice', async () => {
  const { project, owner } = await scene.project({ visibility: 'public' })
  const made: number[] = []
  for (const [index, ref] of ['main', 'docs', 'main', 'docs', 'main'].entries())
    made.push((await jobLeaving(project, owner, { name: `job-${index}`, ref })).id)

  for (const query of ['order_by=id&sort=desc', 'order_by=size&sort=asc', 'order_by=ref&sort=asc', 'ref=main&order_by=size&sort=desc']) {
    const shown: number[] = []
    let address: string | undefined = `/${project.full_path}/-/artifacts?${query}&per_page=2`
    while (address !== undefined) {
      const text: string = String((await scene.anonymous.get(`${scene.url}${address}`)).body)
      shown.push(
        ...[...text.matchAll(/artifacts\/browse" aria-label="Browse the artifacts of job-\d \(#(\d+)\)"/g)].map(([, id]) => Number(id)),
      )
      address = /<a href="([^"]+)" rel="next">/.exec(text)?.[1]?.replaceAll('&amp;', '&')
    }
    const expected = query.startsWith('ref=') ? [made[0], made[2], made[4]] : made
    assert.deepEqual(
      shown.toSorted((a, b) => a - b),
      expected,
      query,
    )
  }
})

test('what private jobs have left is listed without links for those who may not read it', async () => {
  const { project, owner } = await scene.project({})
  await jobLeaving(project, owner, { name: 'secret', options: { script: ['true'], artifacts: { public: false } } as never })
  const [reporter, developer] = [await memberOf(project, 20), await memberOf(project, 30)]
  const address = `/${project.full_path}/-/artifacts`

  assert.doesNotMatch(String((await reporter.get(address)).body), /artifacts\/browse/)
  assert.match(String((await developer.get(address)).body), /artifacts\/browse/)
})

test('the page of a job has its reports to download; its variables are for those who run later jobs', async () => {
  const { project, owner } = await scene.project({ visibility: 'public' })
  const [developer, guest] = [await memberOf(project, 30), await memberOf(project, 10)]
  const job = await runningJob(scene, project, owner)
  const tests = gzipSync('<testsuite name="a"/>')
  for (const [artifact_type, bytes] of [
    ['junit', tests],
    ['dotenv', gzipSync('A=1')],
  ] as const) {
    const uploaded = await uploadTo(scene, job, bytes, { artifact_type, artifact_format: 'gzip', filename: `${artifact_type}.gz` })
    assert.equal(uploaded.status, 201)
  }
  const address = `/${project.full_path}/-/jobs/${job.id}`
  const reportsIn = (page: string) => [...page.matchAll(/href="([^"]*file_type=(\w+))"/g)].map(([, href, type]) => [href, type])
  const download = (who: typeof guest, type: string) => who.get(`${address}/artifacts/download`, { file_type: type })

  assert.deepEqual(reportsIn(String((await guest.get(address)).body)), [[`${address}/artifacts/download?file_type=junit`, 'junit']])
  assert.deepEqual(
    reportsIn(String((await developer.get(address)).body)).map(([, type]) => type),
    ['junit', 'dotenv'],
  )
  const report = await download(guest, 'junit')
  assert.deepEqual(
    [report.status, report.headers['content-disposition'], report.headers['content-type']],
    [200, 'attachment; filename="junit.gz"', 'application/gzip'],
  )
  assert.equal(Number(report.headers['content-length']), tests.length)
  assert.deepEqual([(await download(guest, 'dotenv')).status, (await download(developer, 'dotenv')).status], [403, 200])
  for (const type of ['cobertura', 'archive']) assert.equal((await download(developer, type)).status, 404, type)
  assert.equal((await download(developer, 'trace')).status, 400)
})

test('the reports of a job whose artifacts are private are for Developers', async () => {
  const { project, owner } = await scene.project({ visibility: 'public' })
  const [developer, guest] = [await memberOf(project, 30), await memberOf(project, 10)]
  const job = await runningJob(scene, project, owner, { options: { artifacts: { public: false } } })
  await uploadTo(scene, job, gzipSync('<testsuite/>'), { artifact_type: 'junit', artifact_format: 'gzip', filename: 'junit.xml.gz' })
  const address = `/${project.full_path}/-/jobs/${job.id}/artifacts/download`

  const statuses = [guest, developer].map(async who => (await who.get(address, { file_type: 'junit' })).status)

  assert.deepEqual(await Promise.all(statuses), [403, 200])
})

/** gitbeaker (`@gitbeaker/rest`) as npm has it: releases and their links, what starts pipelines, and statuses of commits. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GitbeakerRequestError, Gitlab } from '@gitbeaker/rest'
import { openScene } from '../scene.ts'

const scene = await openScene()
const client = new Gitlab({ host: scene.url, token: scene.root.token })

/** Passes when `work` is refused with this status. */
const refused = (work: Promise<unknown>, status: number) =>
  assert.rejects(work, error => error instanceof GitbeakerRequestError && error.cause?.response.status === status)

async function projectWithCommit() {
  const { project } = await scene.project({ owner: scene.root })
  const sha = await scene.commit(project, { '.gitlab-ci.yml': 'build:\n  script: [make]\n' })
  return { id: project.id, sha }
}

test('releases are created with their tag, read, changed and deleted', async () => {
  const { id, sha } = await projectWithCommit()
  const { ProjectReleases: releases } = client
  const links = [{ name: 'Linux', url: 'https://example.com/linux', link_type: 'package' }]
  const made = await releases.create(id, { tagName: 'rel/1', ref: 'main', name: 'One', description: 'First', assets: { links } })
  assert.deepEqual([made.tag_name, made.commit.id, made.assets.count], ['rel/1', sha, 5])
  assert.equal((await releases.edit(id, 'rel/1', { description: 'Better' })).description, 'Better')
  assert.equal((await releases.show(id, 'rel/1')).description, 'Better')
  assert.equal((await releases.showLatest(id)).tag_name, 'rel/1')
  assert.equal((await releases.all(id, { orderBy: 'created_at' })).length, 1)
  await refused(releases.create(id, { tagName: 'rel/1', description: 'Again' }), 409)
  await releases.remove(id, 'rel/1')
  await refused(releases.show(id, 'rel/1'), 404)
})

test('links of releases are created, read, changed and deleted', async () => {
  const { id } = await projectWithCommit()
  const { ReleaseLinks: links } = client
  await client.ProjectReleases.create(id, { tagName: 'v1', ref: 'main', description: 'First' })
  const made = await links.create(id, 'v1', 'Handbook', 'https://example.com/a.pdf', {
    directAssetPath: '/docs/a.pdf',
    linkType: 'runbook',
  })
  assert.match(String(made.direct_asset_url), /\/-\/releases\/v1\/downloads\/docs\/a\.pdf$/)
  assert.equal((await links.edit(id, 'v1', made.id, { name: 'Manual' })).name, 'Manual')
  assert.equal((await links.show(id, 'v1', made.id)).link_type, 'runbook')
  assert.equal((await links.all(id, 'v1')).length, 1)
  await refused(links.create(id, 'v1', 'Manual', 'https://example.com/b.pdf'), 400)
  await links.remove(id, 'v1', made.id)
  await refused(links.show(id, 'v1', made.id), 404)
})

test('schedules and their variables are created, read, changed and deleted', async () => {
  const { id } = await projectWithCommit()
  const { PipelineSchedules: schedules, PipelineScheduleVariables: variables } = client
  const made = await schedules.create(id, 'Nightly', 'main', '0 1 * * *', { cronTimezone: 'Berlin' })
  assert.equal((await schedules.edit(id, made.id, { cron: '0 2 * * *' })).cron, '0 2 * * *')
  await variables.create(id, made.id, 'TARGET', 'staging')
  assert.equal((await variables.edit(id, made.id, 'TARGET', 'live')).value, 'live')
  assert.equal((await schedules.show(id, made.id)).variables?.length, 1)
  await variables.remove(id, made.id, 'TARGET')
  assert.equal((await schedules.takeOwnership(id, made.id)).owner.id, scene.root.id)
  await schedules.run(id, made.id)
  assert.deepEqual(await schedules.allTriggeredPipelines(id, made.id), [])
  assert.equal((await schedules.all(id, { scope: 'active' })).length, 1)
  await schedules.remove(id, made.id)
  await refused(schedules.show(id, made.id), 404)
})

test('trigger tokens are created, used, changed and deleted', async () => {
  const { id, sha } = await projectWithCommit()
  const { PipelineTriggerTokens: triggers } = client
  const made = await triggers.create(id, 'Docs')
  assert.equal((await triggers.edit(id, made.id, { description: 'Pages' })).description, 'Pages')
  const pipeline = await triggers.trigger(id, 'main', made.token, { variables: { TARGET: 'live' } })
  assert.deepEqual([pipeline.sha, pipeline.ref], [sha, 'main'])
  const given = await client.Pipelines.allVariables(id, pipeline.id)
  assert.equal(given.find(({ key }) => key === 'TARGET')?.value, 'live')
  assert.equal((await triggers.show(id, made.id)).token, made.token)
  assert.equal((await triggers.all(id)).length, 1)
  await triggers.remove(id, made.id)
  await refused(triggers.show(id, made.id), 404)
})

test('the status of a commit is reported and listed', async () => {
  const { id, sha } = await projectWithCommit()
  await client.Commits.editStatus(id, sha, 'running', { context: 'renovate/checks', targetUrl: 'https://example.com/1' })
  await client.Commits.editStatus(id, sha, 'success', { context: 'renovate/checks' })
  const found = await client.Commits.allStatuses(id, sha)
  assert.deepEqual(
    found.filter(({ name }) => name === 'renovate/checks').map(({ status }) => status),
    ['success'],
  )
})

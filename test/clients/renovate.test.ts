/** renovate, unmodified: finds its repositories, proposes what is newer, keeps its merge requests, and merges by itself. */
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openScene, type Person, type SceneProject } from '../scene.ts'
import { npmClient } from './npm_clients/installed.ts'
import { openWorkbench } from './workbench.ts'

const scene = await openScene()
const workbench = await openWorkbench()
const { program, path, skip } = npmClient('renovate')

interface Listed {
  readonly iid: number
  readonly title: string
  readonly description: string
  readonly source_branch: string
  readonly state: string
  readonly labels: readonly string[]
  readonly reviewers: readonly { readonly username: string }[]
}

let runs = 0

/** Runs the bot over all projects that it is a member of, as a nightly job does. */
async function renovate({ token }: Person, base: string, options: object = {}) {
  await mkdir(base, { recursive: true })
  const configuration = join(base, 'config.json')
  await writeFile(
    configuration,
    JSON.stringify({
      platform: 'gitlab',
      endpoint: `${scene.url}/api/v4/`,
      token,
      autodiscover: true,
      onboarding: true,
      baseDir: base,
      // What it knows of versions it keeps for a while.
      cacheDir: join(base, `cache-${++runs}`),
      gitAuthor: 'Renovate Bot <bot@example.com>',
      enabledManagers: ['custom.regex'],
      ...options,
    }),
  )
  const env = { PATH: path, RENOVATE_CONFIG_FILE: configuration, LOG_LEVEL: 'info', TMPDIR: base }
  const outcome = await workbench.attempt(program, [], { cwd: base, env })
  assert.equal(outcome.code, 0, outcome.stdout + outcome.stderr)
  return outcome.stdout
}

/** A rule of the bot: images of this form have the tags of a project here as their versions. */
const rules = (library: SceneProject) => ({
  customManagers: [
    {
      customType: 'regex',
      managerFilePatterns: ['/versions\\.txt$/'],
      matchStrings: ['(?<depName>\\S+)=(?<currentValue>\\S+)'],
      datasourceTemplate: 'gitlab-tags',
      packageNameTemplate: library.full_path,
      registryUrlTemplate: scene.url,
    },
  ],
})

test('the bot introduces itself, proposes a newer version, and follows what people do with it', { skip }, async () => {
  const bot = await scene.user({ username: 'renovate-bot' })
  const { project: library, owner } = await scene.project({ visibility: 'public' })
  await scene.commit(library, { 'README.md': '# Library\n' })
  for (const tag_name of ['1.0.0', '1.1.0']) {
    assert.equal((await owner.post(`${library.url}/repository/tags`, { tag_name, ref: 'main' })).status, 201)
    await owner.post(`${library.url}/releases`, { tag_name, description: `Notes of ${tag_name}` })
  }
  const { project } = await scene.project({ owner })
  await owner.post(`${project.url}/members`, { user_id: bot.id, access_level: 40 })
  await scene.commit(project, { 'versions.txt': 'library=1.0.0\n' })
  const base = join(workbench.directory, 'renovate')
  const open = async () => (await owner.get(`${project.url}/merge_requests`, { state: 'opened' })).body as Listed[]
  const filter = { autodiscoverFilter: project.full_path, ...rules(library) }

  await renovate(bot, base, filter)
  const [introduction] = await open()
  assert.equal(introduction?.source_branch, 'renovate/configure')
  assert.equal((await owner.put(`${project.url}/merge_requests/${introduction?.iid}/merge`)).status, 200)

  const options = { ...filter, labels: ['dependencies'], reviewers: [owner.username], dependencyDashboard: true }
  await renovate(bot, base, options)
  const [proposal, ...others] = await open()
  assert.deepEqual(others, [])
  assert.match(proposal?.title ?? '', /library to v?1\.1\.0/)
  assert.match(proposal?.description ?? '', /Notes of 1\.1\.0/)
  assert.deepEqual([proposal?.labels, proposal?.reviewers.map(({ username }) => username)], [['dependencies'], [owner.username]])
  const file = await owner.get(`${project.url}/repository/files/versions.txt/raw`, { ref: proposal?.source_branch })
  assert.equal(file.bytes.toString(), 'library=1.1.0\n')
  const dashboard = (await owner.get(`${project.url}/issues`, { author_id: bot.id })).body as { title: string; description: string }[]
  assert.deepEqual(
    dashboard.map(({ title }) => title),
    ['Dependency Dashboard'],
  )

  await owner.post(`${library.url}/repository/tags`, { tag_name: '1.2.0', ref: 'main' })
  await renovate(bot, base, options)
  assert.match((await open())[0]?.title ?? '', /1\.2\.0/)

  await owner.put(`${project.url}/merge_requests/${proposal?.iid}`, { state_event: 'close' })
  await renovate(bot, base, options)
  assert.deepEqual(await open(), [])
})

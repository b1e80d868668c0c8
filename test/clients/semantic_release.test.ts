/** semantic-release with its plugin for this platform, unmodified: a release from commits, with assets, and comments on what it resolves. */
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { startTaskWorker } from '../../src/server/tasks.ts'
import { eventually } from '../eventually.ts'
import { openScene, type Person, type SceneProject } from '../scene.ts'
import { openCheckouts } from './checkouts.ts'
import { npmClient } from './npm_clients/installed.ts'
import { openWorkbench } from './workbench.ts'

const scene = await openScene()
const workbench = await openWorkbench()
const { addressFor, clone, commit, git } = await openCheckouts(scene, workbench)
const { program, path, skip } = npmClient('semantic-release')

/** Runs it in a checkout as a job of CI does. */
async function release(cwd: string, project: SceneProject, { token }: Person, plugin: object, others: readonly string[] = []) {
  const configuration = {
    repositoryUrl: `${scene.url}/${project.full_path}.git`,
    branches: ['main'],
    plugins: [
      '@semantic-release/commit-analyzer',
      '@semantic-release/release-notes-generator',
      ['@semantic-release/gitlab', plugin],
      ...others,
    ],
  }
  await writeFile(join(cwd, '.releaserc.json'), JSON.stringify(configuration))
  return workbench.attempt(program, ['--ci', 'false'], { cwd, env: { PATH: path, GL_TOKEN: token, GL_URL: scene.url } })
}

test('a release is made from the commits, with an upload, a package and comments', { skip }, async t => {
  const worker = await startTaskWorker(scene.deps, { concurrency: 1 })
  t.after(() => worker.stop())
  const { project, owner } = await scene.project({ description: 'Released' })
  const checkout = await clone(addressFor(project, owner))
  await git(checkout, 'checkout', '--quiet', '-B', 'main')
  await commit(checkout, { 'package.json': '{"name": "thing", "version": "0.0.0"}' }, 'feat: begin')
  await git(checkout, 'push', '--quiet', 'origin', 'main')
  const issue = (await owner.post(`${project.url}/issues`, { title: 'The door is open' })).body
  const request = await scene.mergeRequest(project, {
    title: 'fix: close the door',
    description: `Closes #${issue.iid}`,
    files: { 'door.txt': 'closed\n' },
    author: owner,
  })
  const merged = await owner.put(`${request.url}/merge`, {
    squash: true,
    squash_commit_message: `fix: close the door\n\nCloses #${issue.iid}`,
  })
  assert.equal(merged.status, 200, JSON.stringify(merged.body))
  await eventually(async () => (await owner.get(`${project.url}/issues/${issue.iid}`)).body.state === 'closed', 'the closed issue')
  await git(checkout, 'pull', '--quiet', 'origin', 'main')
  await mkdir(join(checkout, 'dist'))
  await writeFile(join(checkout, 'dist', 'thing.txt'), 'the thing\n')
  await writeFile(join(checkout, 'dist', 'notes.txt'), 'the notes\n')

  const { code, stdout, stderr } = await release(checkout, project, owner, {
    assets: [
      { path: 'dist/thing.txt', label: 'Thing', target: 'generic_package', type: 'package', filepath: '/bin/thing' },
      { path: 'dist/notes.txt', label: 'Notes' },
      { url: 'https://example.com/image', label: 'Image', type: 'image' },
    ],
  })

  assert.equal(code, 0, stdout + stderr)
  const { body: made } = await owner.get(`${project.url}/releases/v1.0.0`)
  assert.match(made.description, /close the door/)
  const links = made.assets.links as { name: string; link_type: string; direct_asset_url: string; url: string }[]
  assert.deepEqual(links.map(({ name, link_type }) => [name, link_type]).toSorted(), [
    ['Image', 'image'],
    ['Notes', 'other'],
    ['Thing', 'package'],
  ])
  assert.equal((await owner.get(`${project.url}/packages/generic/release/1.0.0/Thing`)).bytes.toString(), 'the thing\n')
  const permanent = new URL(links.find(({ name }) => name === 'Thing')?.direct_asset_url ?? '')
  assert.equal(permanent.pathname, `/${project.full_path}/-/releases/v1.0.0/downloads/bin/thing`)
  for (const url of [`${project.url}/issues/${issue.iid}`, request.url]) {
    const notes = (await owner.get(`${url}/notes`)).body as { body: string; system: boolean }[]
    assert.ok(
      notes.some(({ body, system }) => !system && body.includes('1.0.0')),
      `${url} has no comment on its release`,
    )
  }
})

test('a release that fails opens an issue, which the next failure comments on', { skip }, async () => {
  const { project, owner } = await scene.project()
  const checkout = await clone(addressFor(project, owner))
  await git(checkout, 'checkout', '--quiet', '-B', 'main')
  const refusal = `Object.assign(new Error('Not today'), { name: 'SemanticReleaseError', semanticRelease: true })`
  await commit(checkout, { 'refuse.cjs': `exports.verifyRelease = () => { throw ${refusal} }\n` }, 'feat: begin')
  await git(checkout, 'push', '--quiet', 'origin', 'main')

  for (const attempt of ['first', 'second']) {
    const { code } = await release(checkout, project, owner, {}, ['./refuse.cjs'])
    assert.equal(code, 1, attempt)
  }

  const issues = (await owner.get(`${project.url}/issues`)).body as { iid: number; labels: string[]; user_notes_count: number }[]
  assert.deepEqual(
    issues.map(({ labels, user_notes_count }) => [labels, user_notes_count]),
    [[['semantic-release'], 1]],
  )
  assert.deepEqual((await owner.get(`${project.url}/releases`)).body, [])
})

/** release-it, unmodified: a version is tagged, pushed and released with its assets. */
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openScene } from '../scene.ts'
import { openCheckouts } from './checkouts.ts'
import { npmClient } from './npm_clients/installed.ts'
import { openWorkbench } from './workbench.ts'

const scene = await openScene()
const workbench = await openWorkbench()
const { addressFor, clone, commit, git } = await openCheckouts(scene, workbench)
const { program, path, skip } = npmClient('release-it')

test('release-it tags, pushes and releases, with an upload, a package and milestones', { skip }, async () => {
  const { project, owner } = await scene.project()
  await owner.post(`${project.url}/milestones`, { title: 'spring' })
  const checkout = await clone(addressFor(project, owner))
  await git(checkout, 'checkout', '--quiet', '-B', 'main')
  const gitlab = { release: true, origin: scene.url, repoId: project.full_path.replace('/', '%2F'), milestones: ['spring'] }
  const configuration = (assets: object) =>
    JSON.stringify({ npm: false, git: { requireUpstream: false }, gitlab: { ...gitlab, ...assets } })
  await commit(checkout, { 'package.json': '{"name": "thing", "version": "0.1.0"}\n', '.release-it.json': '{}', '.gitignore': 'dist\n' })
  await git(checkout, 'push', '--quiet', '--set-upstream', 'origin', 'main')
  await mkdir(join(checkout, 'dist'))
  await writeFile(join(checkout, 'dist', 'thing.txt'), 'the thing\n')
  const release = async (increment: string, assets: object) => {
    await commit(checkout, { '.release-it.json': configuration(assets), [`${increment}.txt`]: increment }, `Add ${increment}`)
    const outcome = await workbench.attempt(program, [increment, '--ci'], { cwd: checkout, env: { PATH: path, GITLAB_TOKEN: owner.token } })
    assert.equal(outcome.code, 0, outcome.stdout + outcome.stderr)
  }

  await release('minor', { assets: ['dist/*.txt'] })
  await release('major', { assets: ['dist/*.txt'], useGenericPackageRepositoryForAssets: true })

  const releases = (await owner.get(`${project.url}/releases`)).body as {
    tag_name: string
    description: string
    milestones: { title: string }[]
    assets: { links: { name: string; url: string }[] }
  }[]
  assert.deepEqual(
    releases.map(({ tag_name, milestones, assets }) => [
      tag_name,
      milestones.map(({ title }) => title),
      assets.links.map(({ name }) => name),
    ]),
    [
      ['1.0.0', ['spring'], ['thing.txt']],
      ['0.1.0', ['spring'], ['thing.txt']],
    ],
  )
  assert.match(releases[0]?.description ?? '', /Add major/)
  assert.equal(await git(checkout, 'rev-parse', '1.0.0^{commit}'), (await owner.get(`${project.url}/repository/tags/1.0.0`)).body.commit.id)
  const packages = (await owner.get(`${project.url}/packages`)).body as { name: string; version: string }[]
  assert.deepEqual(
    packages.map(({ name, version }) => [name, version]),
    [['release-it', '1.0.0']],
  )
})

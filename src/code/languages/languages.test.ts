/** Languages of projects (document 3 "Projects"; "Project list parameters"). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { tasksOf } from '../../server/tasks.ts'

const scene = await openScene()
const ids = (answer: { body: { id: number }[] }) => answer.body.map(row => row.id)

test('languages are weighted by bytes, and correct before any task has run', async () => {
  const { project, owner } = await scene.project()
  assert.deepEqual(await owner.get(`${project.url}/languages`), { status: 200, body: {} }, 'an empty repository has none')
  await scene.commit(project, { 'a.rb': 'x = 1\n'.repeat(30), 'lib/b.py': 'x = 1\n'.repeat(10), 'README.md': '# Long text\n'.repeat(100) })

  assert.deepEqual((await owner.get(`${project.url}/languages`)).body, { Ruby: 75, Python: 25 })
  await scene.commit(project, { 'c.py': 'x = 1\n'.repeat(20) })
  assert.deepEqual((await owner.get(`${project.url}/languages`)).body, { Python: 50, Ruby: 50 }, 'the next push is seen immediately')
})

test('vendored, generated and ignored files do not count, unless .gitattributes includes them', async () => {
  const { project, owner } = await scene.project()
  await scene.commit(project, {
    'src/main.go': 'package main\n',
    'node_modules/x/index.js': 'var x = 1\n'.repeat(100),
    'vendor/y/y.rb': 'y = 1\n'.repeat(100),
    'made/by/machine.py': 'z = 1\n'.repeat(100),
    'ignored.go': 'package main\n',
    '.gitignore': '*.go\n',
    '.gitattributes': 'made/** linguist-generated\n',
  })

  assert.deepEqual((await owner.get(`${project.url}/languages`)).body, { Go: 100 })
})

test('an unchanged file is classified by its current path and the current .gitattributes', async () => {
  const { project, owner } = await scene.project()
  await scene.commit(project, { 'a.rb': 'x = 1\n', 'b.py': 'x = 1\n' })
  assert.deepEqual((await owner.get(`${project.url}/languages`)).body, { Ruby: 50, Python: 50 })

  await scene.commit(project, { '.gitattributes': 'b.py linguist-vendored\n' })
  assert.deepEqual((await owner.get(`${project.url}/languages`)).body, { Ruby: 100 })

  await scene.commit(project, { 'vendor/a.rb': 'x = 1\n', 'lib/c.py': 'x = 1\n' })
  assert.deepEqual((await owner.get(`${project.url}/languages`)).body, { Ruby: 50, Python: 50 })
})

test('of thousands of lines in .gitattributes those about the files count', async () => {
  const { project, owner } = await scene.project()
  const others = Array.from({ length: 5_000 }, (_, n) => `*.other-${n} linguist-language=C\n`).join('')
  await scene.commit(project, {
    'a.rb': 'x = 1\n',
    'views/b.page': 'x = 1\n',
    'lib/b.rb': 'x = 1\n',
    '.gitattributes': `${others}*.page linguist-language=HTML\nlib/** linguist-vendored\n`,
  })

  assert.deepEqual((await owner.get(`${project.url}/languages`)).body, { HTML: 50, Ruby: 50 })
})

test('a shebang or the contents decide where the name does not', async () => {
  const { project, owner } = await scene.project()
  await scene.commit(project, { run: '#!/usr/bin/env python3\nprint(1)\n', 'big.c': `int x;\n${' '.repeat(2 * 1024 * 1024)}` })

  const { body } = await owner.get(`${project.url}/languages`)
  assert.deepEqual(Object.keys(body), ['C', 'Python'].slice(0, 1), 'a share that rounds to nothing is left out')
})

test('lists can be filtered by language, case-insensitively, after the task has run', async () => {
  const { project, owner } = await scene.project()
  const { project: other } = await scene.project({ owner })
  await scene.commit(project, { 'a.hs': 'main = print 1\n' })
  await scene.commit(other, { 'a.ts': 'const x: number = 1\n' })
  const queued = async (key: string) =>
    (await scene.deps.database.pool.query('select from graphile_worker.jobs where key = $1', [key])).rows
  assert.equal((await queued(`survey_repository ${project.id}`)).length, 1)
  await tasksOf(scene.deps).survey_repository({ project_id: project.id }, undefined)
  assert.equal((await queued(`survey_languages ${project.id}`)).length, 1)
  for (const { id } of [project, other]) await tasksOf(scene.deps).survey_languages({ project_id: id }, undefined)

  const list = async (with_programming_language: string) => ids(await owner.get('/projects', { owned: true, with_programming_language }))
  assert.deepEqual(await list('haskell'), [project.id])
  assert.deepEqual(await list('TypeScript'), [other.id])
  assert.deepEqual(await list('COBOL'), [])
  assert.deepEqual(ids(await owner.get(`/users/${owner.id}/projects`, { with_programming_language: 'Haskell' })), [project.id])
})

test('detection for a deleted project does nothing', async () => {
  await tasksOf(scene.deps).survey_languages({ project_id: 999_999_999 }, undefined)
})

test('users who may not read the code get no languages', async () => {
  const { project } = await scene.project({ visibility: 'public', repository_access_level: 'private' })
  assert.equal((await scene.anonymous.get(`${project.url}/languages`)).status, 404)
})

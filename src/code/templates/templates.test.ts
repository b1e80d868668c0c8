/** Licenses, gitignores, dockerfiles, CI and project templates APIs of the v4 level 14.0. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { filesOfTemplate, projectTemplates } from './projects.ts'

const scene = await openScene()

describe('licences', () => {
  test('are listed with all fields, or only the popular ones', async () => {
    const all = (await scene.anonymous.get('/templates/licenses', { per_page: 100 })).body
    const popular = (await scene.anonymous.get('/templates/licenses', { popular: 'true' })).body

    assert.ok(all.length > 30)
    assert.deepEqual(
      popular.map((row: { key: string }) => row.key),
      ['apache-2.0', 'gpl-3.0', 'mit'],
    )
    const mit = popular[2]
    assert.deepEqual([mit.name, mit.nickname, mit.popular, mit.conditions], ['MIT License', null, true, ['include-copyright']])
    assert.equal(mit.html_url, 'http://choosealicense.com/licenses/mit/')
  })

  test('have their placeholders filled: year, holder, project', async () => {
    const person = await scene.user({ name: 'Ida Example' })
    const year = new Date().getUTCFullYear()

    const own = (await person.get('/templates/licenses/MIT')).body.content
    const given = (await person.get('/templates/licenses/mit', { fullname: 'Blue $& team' })).body.content
    const anonymous = (await scene.anonymous.get('/templates/licenses/mit')).body.content
    const gpl = (await scene.anonymous.get('/templates/licenses/gpl-3.0', { project: 'Boats', fullname: 'Ida' })).body.content

    assert.match(own, new RegExp(`Copyright \\(c\\) ${year} Ida Example`))
    assert.ok(given.includes(`Copyright (c) ${year} Blue $& team`))
    assert.match(anonymous, new RegExp(`Copyright \\(c\\) ${year} \\[fullname\\]`))
    assert.ok(gpl.includes(`Copyright (C) ${year}  Ida`) && gpl.includes('Boats'))
    assert.deepEqual(await person.get('/templates/licenses/none'), { status: 404, body: { message: '404 License Not Found' } })
  })
})

for (const [type, name, part] of [
  ['gitignores', 'Node', 'node_modules'],
  ['gitignores', 'C++', '*.o'],
  ['gitignores', 'macOS', '.DS_Store'],
  ['dockerfiles', 'Golang', 'FROM golang'],
  ['gitlab_ci_ymls', 'Nodejs', 'npm test'],
  ['gitlab_ci_ymls', 'Pages/Hugo', 'hugo'],
] as const)
  test(`${type} are listed, and ${name} is one of them`, async () => {
    const list = (await scene.anonymous.get(`/templates/${type}`, { per_page: 100 })).body
    const second = (await scene.anonymous.get(`/templates/${type}`, { per_page: 100, page: 2 })).body
    const one = await scene.anonymous.get(`/templates/${type}/${encodeURIComponent(name)}`)

    assert.ok([...list, ...second].some((row: { key: string; name: string }) => row.key === name && row.name === name))
    assert.deepEqual([one.status, one.body.name], [200, name])
    assert.ok(one.body.content.includes(part))
  })

test('an unknown template, an unknown kind, and a path are a 404', async () => {
  for (const path of [
    '/templates/gitignores/None',
    '/templates/recipes',
    '/templates/gitignores/..%2F..%2Fpackage',
    '/templates/dockerfiles/.',
  ])
    assert.equal((await scene.anonymous.get(path)).status, 404, path)
})

describe('a project', () => {
  test('offers the instance’s templates, with its own name in licences', async () => {
    const { project, owner } = await scene.project({ name: 'Boats' })

    assert.ok(
      (await owner.get(`${project.url}/templates/licenses`, { per_page: 100 })).body.some((row: { key: string }) => row.key === 'mit'),
    )
    assert.equal((await owner.get(`${project.url}/templates/dockerfiles/Node`)).body.name, 'Node')
    const { body } = await owner.get(`${project.url}/templates/licenses/gpl-3.0`)
    assert.deepEqual([body.key, body.content.includes('Boats')], ['gpl-3.0', true])
    assert.equal((await owner.get(`${project.url}/templates/recipes`)).status, 404)
  })

  test('offers the templates for issues and merge requests that are in its repository', async () => {
    const { project, guest } = await scene.project({ members: ['guest'] })
    assert.deepEqual((await guest.get(`${project.url}/templates/issues`)).body, [])
    await scene.commit(project, {
      '.gitlab/issue_templates/Bug report.md': '# What happened',
      '.gitlab/issue_templates/notes.txt': 'none',
      '.gitlab/merge_request_templates/Default.md': '# Why',
    })

    assert.deepEqual((await guest.get(`${project.url}/templates/issues`)).body, [{ key: 'Bug report', name: 'Bug report' }])
    assert.deepEqual((await guest.get(`${project.url}/templates/issues/Bug%20report`)).body, {
      name: 'Bug report',
      content: '# What happened',
    })
    assert.equal((await guest.get(`${project.url}/templates/merge_requests/Default`)).body.content, '# Why')
    assert.deepEqual(await guest.get(`${project.url}/templates/issues/notes`), {
      status: 404,
      body: { message: '404 Template Not Found' },
    })
  })

  test('does not show templates of a repository that is hidden from the reader', async () => {
    const { project, guest } = await scene.project({ visibility: 'public', repository_access_level: 'private', members: ['guest'] })
    await scene.commit(project, { '.gitlab/issue_templates/Bug.md': '# What happened' })

    assert.equal((await guest.get(`${project.url}/templates/issues`)).body.length, 1)
    assert.deepEqual((await scene.anonymous.get(`${project.url}/templates/issues`)).body, [])
    assert.equal((await scene.anonymous.get(`${project.url}/templates/issues/Bug`)).status, 404)
  })
})

test('a project begins with the files of a template, and of none that there is not', async () => {
  const { status, body: project } = await scene.root.post('/projects', { name: `Templated ${Date.now()}`, template_name: 'nodejs' })
  assert.equal(status, 201)
  const { body: tree } = await scene.root.get(`/projects/${project.id}/repository/tree`)
  assert.deepEqual(
    tree.map(({ name }: { name: string }) => name),
    ['.gitignore', '.gitlab-ci.yml', 'Dockerfile', 'README.md'],
  )
  const lint = await scene.root.get(`/projects/${project.id}/ci/lint`)
  assert.equal(lint.body.valid, true, JSON.stringify(lint.body))
  for (const template_name of ['constructor', 'unknown'])
    assert.deepEqual((await scene.root.post('/projects', { name: `Templated ${template_name}`, template_name })).body, {
      message: { template_name: ['is unknown or invalid'] },
    })
  for (const name of Object.keys(projectTemplates)) assert.equal((await filesOfTemplate(name)).length, 3, name)
})

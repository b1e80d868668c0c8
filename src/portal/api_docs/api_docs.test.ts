/** The pages about the API have every endpoint, each in words, with requests that work as they stand. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { Gitlab } from '@gitbeaker/rest'
import { openScene } from '../../../test/scene.ts'
import { isForPeople } from '../../platform/kernel/openapi/refusals.ts'
import { resources } from '../../server/endpoints.ts'
import { examples } from '../../server/examples.ts'
import { areas } from './areas.ts'
import { ChapterBodies } from './bodies.ts'
import { chapterView } from './chapter_view.ts'
import { ApiChapters, type Chapter, type Operation } from './chapters.ts'
import { samplesOf } from './samples.ts'

const scene = await openScene()
const chapters = new ApiChapters(() => resources, examples)

test('every chapter of the API stands in one area', () => {
  const listed = areas.flatMap(area => area.chapters)

  assert.deepEqual(listed.toSorted(), Object.keys(resources).toSorted(), 'you are here because src/portal/api_docs/areas.ts has the areas')
})

test('every endpoint is on the page of its chapter, once, in words, with who may and a request', async () => {
  for (const [name, endpoints] of Object.entries(resources)) {
    const chapter = await chapters.chapter(name)
    const described = endpoints.filter(endpoint => !isForPeople(endpoint))
    if (!chapter) {
      assert.equal(described.length, 0, name)
      continue
    }
    const answer = await scene.anonymous.get(`${scene.url}/-/docs/${name}`)
    const body = String(answer.body)
    const ids = [...body.matchAll(/<section class="api-operation" id="([^"]+)"/g)].map(match => match[1])

    assert.equal(answer.status, 200, name)
    assert.equal(new Set(ids).size, ids.length, `${name} has an anchor twice`)
    assert.equal(chapter.operations.length, described.length, name)
    for (const { id, summary, params, successes } of chapter.operations) {
      assert.ok(ids.includes(id), `${name} lacks ${id}`)
      assert.ok(summary.length > 5, id)
      assert.ok(successes.length > 0, id)
      assert.deepEqual(
        params.filter(({ says }) => says === '').map(param => `${id} ${param.name}`),
        [],
      )
    }
    for (const { name: error } of chapter.failures) assert.ok(body.includes(`id="error-${error}"`), `${name} lacks ${error}`)
    for (const [, target] of body.matchAll(/href="#([^"]+)"/g)) assert.ok(body.includes(`id="${target}"`), `${name} lacks #${target}`)
  }
})

test('the search finds an endpoint by its address, its words and its parameters', async () => {
  const first = (search: string) => chapters.search(search)[0]?.summary

  assert.equal(first('POST /projects/:id/labels'), 'Create a label of a project')
  assert.equal(first('create label project'), 'Create a label of a project')
  assert.ok(chapters.search('merge_when_pipeline_succeeds').length > 0)
  assert.ok(chapters.search('webhook').some(({ address }) => address === '/api/v4/projects/:id/hooks'))
  const answer = await scene.anonymous.get(`${scene.url}/-/docs`, { search: '<i>nothing' })
  assert.match(String(answer.body), /No endpoint has all of these words/)
  assert.doesNotMatch(String(answer.body), /<i>nothing/)
})

test('a chapter that there is not is 404, also by a name that objects have', async () => {
  for (const name of ['nothing', 'constructor', '__proto__'])
    assert.equal((await scene.anonymous.get(`${scene.url}/-/docs/${name}`)).status, 404, name)
})

const operation = async (chapter: string, id: string): Promise<Operation> => {
  const found = (await chapters.chapter(chapter))?.operations.find(operation => operation.id === id)
  assert.ok(found, id)
  return found
}

test('what is shown for curl and for Gitbeaker works as it stands', async () => {
  const { owner, project } = await scene.project()
  const origin = scene.url
  for (const [chapter, id, ids] of [
    ['labels', 'get-projects-id-labels', { id: project.id }],
    ['labels', 'post-projects-id-labels', { id: project.full_path }],
    ['issues', 'post-projects-id-issues', { id: project.id }],
    ['users', 'get-user', {}],
  ] as const) {
    const [curl, gitbeaker] = samplesOf(await operation(chapter, id), ids, origin)
    const { stdout } = await promisify(execFile)('sh', ['-c', `${curl?.code} --silent --show-error --fail`], {
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', TOKEN: owner.token },
    })
    assert.ok(JSON.parse(stdout), id)

    const [, call = ''] = /requester\.(.*)\n/.exec(gitbeaker?.code ?? '') ?? []
    const { requester } = new Gitlab({ host: origin, token: owner.token }).Projects
    const sent = new Function('requester', `return requester.${call}`)(requester) as Promise<{ status: number }>
    // A label of this name was made by curl.
    const answer = await sent.catch(error => ({ status: error.cause.response.status }))
    assert.equal(answer.status, id === 'post-projects-id-labels' ? 409 : id.startsWith('post') ? 201 : 200, id)
  }
})

test('the body of a chapter is made once for each kind of reader, for any address of the server, and the examples are read once', async () => {
  let [reads, made] = [0, 0]
  const own = new ApiChapters(
    () => resources,
    () => {
      reads += 1
      return examples()
    },
  )
  const chapter = (await own.chapter('packages')) as Chapter
  const counted: Chapter = {
    ...chapter,
    get operations() {
      made += 1
      return chapter.operations
    },
  }
  const bodies = new ChapterBodies(own)

  const asked = ['https://one.example', 'https://two.example/below', 'https://one.example'].flatMap(origin =>
    [true, false].map(async isSignedIn => ({ origin, isSignedIn, body: (await bodies.bodyOf(counted, origin, isSignedIn)).text })),
  )
  for (const { origin, isSignedIn, body } of await Promise.all(asked)) {
    assert.ok(body.includes(`${origin}/api/v4/projects/`), origin)
    assert.ok(!body.includes(origin.includes('two') ? 'one.example' : 'two.example'), 'the address of another request')
    assert.ok(!body.includes('.invalid'), 'what stands for the address')
    assert.equal(body.includes('<api-request'), isSignedIn)
  }
  assert.equal(made, 2)
  assert.equal(reads, 1)
})

test('the page of a chapter names the address that it was asked at', async () => {
  for (const host of ['one.localhost', 'two.localhost']) {
    const { body } = await scene.app.inject({ method: 'GET', url: '/-/docs/labels', headers: { host } })
    const named = [...body.matchAll(/[a-z]+\.localhost/g)].map(([name]) => name)

    assert.deepEqual([...new Set(named)], [host])
  }
})

test('the page of a chapter can be interrupted after each endpoint and each entity', async () => {
  const chapter = (await new ApiChapters(() => resources, examples).chapter('projects')) as Chapter

  const pauses = [...chapterView(chapter, () => [], false)].length

  assert.equal(pauses, chapter.operations.length + chapter.entities.length)
})

/** Requests as large, and about things as large, as the limits allow: what an endpoint does in the usual case says little about them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importCommits } from '../../src/platform/git/scene.ts'
import { buildApp } from '../../src/server/app.ts'
import { atEnd } from '../../test/at_end.ts'
import { openScene } from '../../test/scene.ts'
import { LIMIT, longestHold } from './hold.ts'

const MEGABYTE = 1024 * 1024

const scene = await openScene()
// Without the check of answers, which reads them.
const app = await buildApp(scene.deps)
atEnd(() => app.close())

const { project } = await scene.project({ visibility: 'public' })
const repository = scene.deps.storages.repository({ id: project.id, repository_storage: 'default' })
await scene.commit(project, { 'README.md': 'Here.\n' })
const lines = (count: number, word: string) => Array.from({ length: count }, (_, index) => `${word} ${index}\n`).join('')
const tree = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`d${index % 100}/f${index}`, '1\n']))
const changed = Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`d${index % 100}/f${index}`, lines(100, 'changed')]))
const [first, second] = await importInto()

async function importInto(): Promise<[string, string]> {
  const before = { files: { ...tree, 'long.txt': lines(100_000, 'line'), 'large.bin': 'x'.repeat(9 * MEGABYTE) } }
  const one = importCommits(repository, 'large', [before])
  const two = importCommits(repository, 'larger', [{ files: { ...before.files, ...changed } }])
  return [one, two]
}

/** A CI file with so many jobs. */
const fileOf = (jobs: number, more = '') =>
  Array.from(
    { length: jobs },
    (_, n) => `job-${n}:\n  script:\n    - echo ${n}\n    - make\n  variables: {A: b${n}}\n  rules:\n    - if: $A == "b${n}"\n${more}`,
  ).join('')

interface Sent {
  readonly method?: 'GET' | 'POST' | 'PUT'
  readonly url: string
  readonly body?: string
  readonly type?: string
}

const at = (path: string) => `${project.url}/repository${path}`
const json = (value: unknown) => JSON.stringify(value)

const graph = (query: string): Sent => ({ method: 'POST', url: '/../graphql', body: json({ query }) })
/** As much of a text as a GraphQL query may have. */
const asLong = (repeated: string, rest = 100) => repeated.repeat(Math.floor((10_000 - rest) / repeated.length))

const cases: Readonly<Record<string, Sent>> = {
  'a GraphQL query of one field many times': graph(`{ project(fullPath: "${project.full_path}") { ${asLong('name ')} } }`),
  'a GraphQL query of many fields of other names': graph(
    `{ ${Array.from({ length: 400 }, (_, n) => `a${n}: metadata { id }`).join(' ')} }`,
  ),
  'a GraphQL query of many unknown fields': graph(`{ ${asLong('projectz ')} }`),
  'a GraphQL query of 3,000 levels': graph(`{${'a{'.repeat(3_000)}b${'}'.repeat(3_000)}}`),
  'a GraphQL query of 1,200 levels of fragments': graph(`{${'...{'.repeat(1_200)}__typename${'}'.repeat(1_200)}}`),
  'a GraphQL query of 200 fragments': graph(
    `{...f0} ${Array.from({ length: 200 }, (_, n) => `fragment f${n} on Query{...f${n + 1} ...f${n + 1}}`).join(' ')} ` +
      'fragment f200 on Query{currentUser{id}}',
  ),
  'a GraphQL query of 500 operations': graph(
    `fragment f on Query{currentUser{id}} ${Array.from({ length: 500 }, (_, n) => `query q${n}{...f}`).join(' ')}`,
  ),
  'a GraphQL query of many variables': graph(
    `query q(${Array.from({ length: 500 }, (_, n) => `$v${n}:String`).join(' ')}){currentUser{id}}`,
  ),
  'a GraphQL query of many arguments': graph(`{ project(${Array.from({ length: 700 }, (_, n) => `a${n}: 1`).join(' ')}) { id } }`),
  'a GraphQL query of one list': graph(`{ projects(ids: [${asLong('1,')}]) { nodes { id } } }`),
  '50 GraphQL queries': {
    method: 'POST',
    url: '/../graphql',
    body: json(Array(50).fill({ query: `{ project(fullPath: "x") { ${asLong('name ')} } }` })),
  },
  'an LFS batch of 50,000 objects': {
    method: 'POST',
    url: `/../../${project.full_path}.git/info/lfs/objects/batch`,
    type: 'application/vnd.git-lfs+json',
    body: json({
      operation: 'download',
      objects: Array.from({ length: 50_000 }, (_, n) => ({ oid: n.toString(16).padStart(64, '0'), size: 1 })),
    }),
  },
  'a text of 19,000 references as HTML': {
    method: 'POST',
    url: '/markdown',
    body: json({ text: `${project.full_path}#1 @root `.repeat(9_500), project: project.full_path }),
  },
  'a search of 8,000 characters': { url: `/projects?search=${'ab'.repeat(4_000)}` },
  '2,000 scopes of the container registry': {
    url: `/../../jwt/auth?service=container_registry&${Array.from({ length: 2_000 }, (_, n) => `scope=repository:a/b${n}:pull`).join('&')}`,
  },
  'an issue of 130,000 tasks': {
    method: 'POST',
    url: `${project.url}/issues`,
    body: json({ title: 'A', description: '- [ ] a\n'.repeat(130_000) }),
  },
  'an issue of a million lines and a quick action': {
    method: 'POST',
    url: `${project.url}/issues`,
    body: json({ title: 'A', description: `/close\n- [ ] a\n${'\n'.repeat(MEGABYTE - 20)}` }),
  },
  'an issue of lines of one character and a quick action': {
    method: 'POST',
    url: `${project.url}/issues`,
    body: json({ title: 'A', description: `/close\n- [ ] a\n${'a\n'.repeat(MEGABYTE / 2 - 20)}` }),
  },
  'an issue of 150,000 quick actions': {
    method: 'POST',
    url: `${project.url}/issues`,
    body: json({ title: 'A', description: '/close\n'.repeat(149_000) }),
  },
  'a note of a million lines': {
    method: 'POST',
    url: `${project.url}/issues/1/notes`,
    body: json({ body: `/todo\na${'\n'.repeat(MEGABYTE - 20)}b` }),
  },
  'a JSON body of 10 MB in one text': { method: 'POST', url: '/markdown', body: json({ text: 'x'.repeat(9.9 * MEGABYTE) }) },
  'a JSON body of 100,000 values': { method: 'POST', url: '/markdown', body: json({ text: 'x', more: Array(99_000).fill(1) }) },
  'a JSON body of 10 MB of small values': { method: 'POST', url: '/markdown', body: json({ more: Array(5 * MEGABYTE).fill(1) }) },
  'a form of 10,000 parameters': {
    method: 'POST',
    url: '/markdown',
    type: 'application/x-www-form-urlencoded',
    body: Array.from({ length: 9_999 }, (_, index) => `labels[${index}]=${'y'.repeat(900)}`).join('&'),
  },
  'a query of 64 KB': { url: `/projects?${Array.from({ length: 8_000 }, (_, index) => `a[]=${index % 10}`).join('&')}` },
  'a text of 150 KB as HTML': { method: 'POST', url: '/markdown', body: json({ text: '* [a](b) **c** `d` #1 @root\n'.repeat(5_500) }) },
  'a text of 10 KB of brackets as HTML': { method: 'POST', url: '/markdown', body: json({ text: '['.repeat(10_000) }) },
  'a CI file of 200 KB': {
    method: 'POST',
    url: '/ci/lint',
    body: json({
      content: Array.from({ length: 2_000 }, (_, n) => `job-${n}:\n  script:\n    - echo ${n}\n  rules:\n    - if: $A == "b"\n`).join(''),
    }),
  },
  'a CI file of 1 MB': {
    method: 'POST',
    url: '/ci/lint',
    body: json({ content: `job:\n  script:\n${'    - echo something that is long enough\n'.repeat(25_000)}` }),
  },
  'a CI file of 5,000 jobs with all that is known of them': {
    method: 'POST',
    url: '/ci/lint',
    body: json({ content: fileOf(5_000), include_jobs: true, include_merged_yaml: true }),
  },
  'the plan of a CI file of 5,000 jobs': {
    method: 'POST',
    url: `${project.url}/ci/lint`,
    body: json({ content: fileOf(5_000), dry_run: true, include_jobs: true }),
  },
  'a CI file of 4,000 jobs with 50 copies each': {
    method: 'POST',
    url: '/ci/lint',
    body: json({ content: fileOf(4_000, '  parallel: 50\n') }),
  },
  'a CI file of 5,000 jobs in stages that are not there': {
    method: 'POST',
    url: '/ci/lint',
    body: json({ content: `stages: [${lines(5_000, 'stage').trim().replaceAll('\n', ', ')}]\n${fileOf(5_000, '  stage: other\n')}` }),
  },
  'blame of 100,000 lines': { url: at(`/files/long.txt/blame?ref=${first}`) },
  'a file of 9 MB as JSON': { url: at(`/files/large.bin?ref=${first}`) },
  'a tree of 20,000 files': { url: at(`/tree?ref=${first}&recursive=true&per_page=100`) },
  'a comparison of 900 files': { url: at(`/compare?from=${first}&to=${second}&straight=true`) },
  'the differences of a commit of 20,000 files': { url: at(`/commits/${second}/diff`) },
  'a commit with 9 MB': {
    method: 'POST',
    url: at('/commits'),
    body: json({
      branch: 'main',
      commit_message: 'Large',
      actions: [
        { action: 'update', file_path: 'README.md', encoding: 'base64', content: Buffer.alloc(6.5 * MEGABYTE, 7).toString('base64') },
      ],
    }),
  },
  'a search in all files': { url: `${project.url}/search?scope=blobs&search=1&ref=${first}` },
  'the description of the API': { url: '/openapi.json' },
}

for (const [name, { method = 'GET', url, body, type = 'application/json' }] of Object.entries(cases))
  test(`${name} holds the event loop for less than ${LIMIT} ms`, async t => {
    const headers = { 'private-token': scene.root.token, ...(body !== undefined && { 'content-type': type }) }
    const payload = body === undefined ? undefined : Buffer.from(body)
    let status = 0

    const hold = await longestHold(async () => {
      const answer = await app.inject({
        method,
        url: new URL(`/api/v4${url}`, 'http://localhost').href.slice('http://localhost'.length),
        headers,
        ...(payload && { payload }),
      })
      status = answer.statusCode
    })

    t.diagnostic(`${hold.toFixed(1).padStart(7)} ms  ${status}  ${name}`)
    assert.ok(status < 500, `answered ${status}`)
    assert.ok(hold <= LIMIT, `held for ${hold.toFixed(1)} ms`)
  })

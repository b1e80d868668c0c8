/** What one request may read from repositories. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'
import { RepositoryWork } from '../reading/repository_work.ts'

const scene = await openScene()
const { project } = await scene.project({ visibility: 'public' })
const big = 'a'.repeat(1024 * 1024)
await scene.commit(project, { 'a.txt': 'a\n', 'docs/b.md': '# b\n', big })

/** What a caller who is not signed in is answered to fields of the repository, in one query or several that are sent together. */
async function ask(...fields: readonly string[]) {
  const queries = fields.map(some => ({ query: `{ project(fullPath: "${project.full_path}") { repository { ${some} } } }` }))
  const answer = await fetch(`${scene.url}/api/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(queries),
  })
  // biome-ignore lint/suspicious/noExplicitAny: each test says which fields it asked for
  const all = (await answer.json()) as { data: any; errors?: { message: string }[] }[]
  return { found: all[0]?.data.project.repository, messages: all.flatMap(({ errors = [] }) => errors.map(({ message }) => message)) }
}

const list = (paths: readonly string[]) => JSON.stringify(paths)

test('a path that is repeated is read once', async () => {
  const { found, messages } = await ask(`blobs(paths: ${list([...Array(120).fill('a.txt'), 'docs/b.md'])}) { nodes { path rawBlob size } }`)

  assert.deepEqual(messages, [])
  assert.deepEqual(found.blobs.nodes, [
    { path: 'a.txt', rawBlob: 'a\n', size: '2' },
    { path: 'docs/b.md', rawBlob: '# b\n', size: '4' },
  ])
})

test('the files of all fields and queries of a request count together', async () => {
  const some = list(Array.from({ length: 51 }, (_, index) => `f${index}`))
  const tooMany = ['At most 100 files can be asked for in a request']

  assert.deepEqual((await ask(`a: blobs(paths: ${some}) { count } b: blobs(paths: ${some}) { count }`)).messages, tooMany)
  assert.deepEqual((await ask(`blobs(paths: ${some}) { count }`, `blobs(paths: ${some}) { count }`)).messages, tooMany)
})

test('a request takes 20 MB of texts and no more', async () => {
  const texts = (number: number) =>
    `blobs(paths: ["big"], first: 1) { nodes { ${Array.from({ length: number }, (_, index) => `t${index}: rawBlob`).join(' ')} } }`

  const { found, messages } = await ask(texts(21))

  const [node] = found.blobs.nodes
  assert.deepEqual(messages, ['The texts of the files have more than 20 MB: ask for fewer in a request'])
  assert.deepEqual([node.t19 === big, node.t20], [true, null])
})

test('expensive work of a request has one slot, and is done one after the other', async () => {
  const { heavy } = scene.deps.limiter.slots
  const enter = heavy.enter.bind(heavy)
  let entered = 0
  let left = 0
  heavy.enter = async (...args) => {
    const release = await enter(...args)
    entered += 1
    return () => {
      left += 1
      release()
    }
  }
  try {
    const { messages } = await ask(
      `a: tree { lastCommit { id } } b: tree(path: "docs", recursive: true) { blobs { count } lastCommit { id } }
       c: tree(recursive: true) { blobs { count } } blobs(paths: ["a.txt"]) { nodes { rawBlob } }`,
    )
    assert.deepEqual([messages, entered, left], [[], 1, 1])
  } finally {
    heavy.enter = enter
  }
})

test('a directory that no repository can have is one that is not there', async () => {
  const { found, messages } = await ask(
    `up: tree(path: "../x") { blobs { count } lastCommit { title } } gone: tree(path: "x") { blobs { count } lastCommit { title } }
     root: tree(path: "/") { trees { nodes { path } } lastCommit { title } } docs: tree(path: "docs/") { lastCommit { title } } plain: tree { lastCommit { title } }`,
  )

  assert.deepEqual(messages, [])
  assert.deepEqual([found.up, found.gone], Array(2).fill({ blobs: { count: 0 }, lastCommit: null }))
  assert.deepEqual(found.root, { trees: { nodes: [{ path: 'docs' }] }, ...found.plain })
  assert.deepEqual(found.docs, found.plain)
})

test('so many entries of directories are kept for a request', () => {
  const work = new RepositoryWork({} as never)
  work.count('entries', 200_000)

  assert.throws(() => work.count('entries', 1), /more than 200000 entries/)
})

/** The wire habits of clients (document 1 "Request conventions"; clients.md section 0), with curl as it is. */
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test as nodeTest } from 'node:test'
import { openScene, type Person } from '../scene.ts'
import { openWorkbench } from './workbench.ts'

const scene = await openScene()
const workbench = await openWorkbench()
const skip = !(await workbench.has('curl', ['--version'])) && 'curl is not installed here'

/** A test that is visibly skipped where there is no curl. */
const test = (name: string, work: () => Promise<void>) => nodeTest(name, { skip }, work)

interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: the tests say what they expect
  readonly json: any
}

/** What curl writes of a reply, on standard error, after the body on standard output. */
const report = '%{stderr}{"status":%{http_code},"headers":%{header_json}}'

/** Runs curl with an address of the API; those that begin with a slash are below `/api/v4`. */
async function curl(address: string, args: readonly string[] = [], input?: string): Promise<Reply> {
  const url = address.startsWith('/') ? `${scene.url}/api/v4${address}` : address
  const { code, stdout, stderr } = await workbench.attempt('curl', ['-sS', '-w', report, ...args, url], { ...(input && { input }) })
  assert.equal(code, 0, stderr)
  const { status, headers } = JSON.parse(stderr) as { status: number; headers: Record<string, string[]> }
  return {
    status,
    // curl 7.88 reports an empty value as a carriage return.
    headers: Object.fromEntries(Object.entries(headers).map(([name, values]) => [name, values.join(', ').trim()])),
    text: stdout,
    get json() {
      return JSON.parse(stdout)
    },
  }
}

const as = (person: Person) => ['-H', `PRIVATE-TOKEN: ${person.token}`]
const json = ['-H', 'Content-Type: application/json']

/** The ids of the rows of these pages. */
const idsOf = (...pages: Reply[]): number[] => pages.flatMap(page => page.json.map((row: { id: number }) => row.id))

let made = 0
const unique = (noun: string) => `curl-${noun}-${++made}`

test('-d sends a form', async () => {
  const person = await scene.user()
  const path = unique('group')

  const reply = await curl('/groups', [...as(person), '-d', 'name=Blue team', '-d', `path=${path}`, '-d', 'visibility=internal'])

  assert.equal(reply.status, 201)
  assert.equal(reply.headers['content-type'], 'application/json')
  assert.deepEqual([reply.json.name, reply.json.full_path, reply.json.visibility], ['Blue team', path, 'internal'])
})

test('--data-urlencode keeps every character, in a form and in a query', async () => {
  const { project, owner } = await scene.project()
  const description = '50 % + "1" & more; größer = besser 🦊'

  const updated = await curl(project.url, [...as(owner), '-X', 'PUT', '--data-urlencode', `description=${description}`])
  const found = await curl('/projects', [...as(owner), '-G', '--data-urlencode', 'search=+ "1" & more; größer', '-d', 'owned=true'])

  assert.equal(updated.json.description, description)
  assert.deepEqual(idsOf(found), [project.id])
})

test('-F sends lists and hashes in brackets', async () => {
  const person = await scene.user()

  const reply = await curl('/projects', [
    ...as(person),
    ...['-F', `name=${unique('project')}`, '-F', 'topics[]=red', '-F', 'topics[]=blue', '-F', 'wiki_enabled=no'],
    ...['-F', 'container_expiration_policy_attributes[keep_n]=5', '-F', 'container_expiration_policy_attributes[enabled]=1'],
  ])

  assert.equal(reply.status, 201)
  assert.deepEqual(reply.json.topics.toSorted(), ['blue', 'red'])
  assert.equal(reply.json.wiki_enabled, false)
  assert.equal(reply.json.container_expiration_policy.keep_n, 5)
  assert.equal(reply.json.container_expiration_policy.enabled, true)
})

test('a JSON body holds lists and hashes, with or without a charset', async () => {
  const person = await scene.user()
  const body = JSON.stringify({
    name: unique('project'),
    topics: ['red', 'blue'],
    container_expiration_policy_attributes: { keep_n: 10 },
  })

  const reply = await curl('/projects', [...as(person), '-H', 'Content-Type: application/json; charset=utf-8', '-d', body])

  assert.equal(reply.status, 201)
  assert.deepEqual(reply.json.topics.toSorted(), ['blue', 'red'])
  assert.equal(reply.json.container_expiration_policy.keep_n, 10)
})

test('a POST takes its parameters from the query, without a body and beside an empty JSON object', async () => {
  const person = await scene.user()

  const bare = await curl(`/projects?name=${unique('project')}&visibility=internal`, [...as(person), '-X', 'POST'])
  const beside = await curl(`/projects?name=${unique('project')}&visibility=internal`, [...as(person), ...json, '-d', '{}'])

  for (const reply of [bare, beside]) {
    assert.equal(reply.status, 201)
    assert.equal(reply.json.visibility, 'internal')
  }
})

test('GET, PUT and DELETE work with a JSON content type and no body', async () => {
  const { project, owner } = await scene.project()

  const read = await curl(project.url, [...as(owner), ...json])
  const updated = await curl(`${project.url}?description=new`, [...as(owner), ...json, '-X', 'PUT'])
  const removed = await curl(project.url, [...as(owner), ...json, '-X', 'DELETE'])

  assert.equal(read.status, 200)
  assert.deepEqual([updated.status, updated.json.description], [200, 'new'])
  assert.deepEqual([removed.status, removed.text], [204, ''])
  assert.equal((await curl(project.url, as(owner))).status, 404)
})

test('malformed JSON is a 400, and the connection stays usable', async () => {
  const person = await scene.user()
  const args = [...as(person), ...json, '-sS', '-w', '%{stderr}%{http_code} %{num_connects};', '-d', '{"name": ']

  const { stderr } = await workbench.attempt('curl', [...args, `${scene.url}/api/v4/projects`, `${scene.url}/api/v4/projects`])

  assert.equal(stderr, '400 1;400 0;')
})

test('lists in a query are brackets, commas or repeated keys', async () => {
  const person = await scene.user()
  const groups = [await scene.group({ owner: person }), await scene.group({ owner: person }), await scene.group({ owner: person })]
  const [first, second, third] = groups.map(({ group }) => group.id)
  const spelled = [
    `skip_groups[]=${first}&skip_groups[]=${second}`,
    `skip_groups=${first},${second}`,
    `skip_groups=${first}&skip_groups=${second}`,
  ]

  const replies = await Promise.all(spelled.map(query => curl(`/groups?${query}`, [...as(person), '-g'])))

  for (const reply of replies) assert.deepEqual(idsOf(reply), [third])
})

test('booleans are spelled in many ways', async () => {
  const { project, owner } = await scene.project()
  const isSimple = async (word: string) => {
    const reply = await curl(`/projects?owned=true&simple=${word}`, as(owner))
    assert.equal(reply.json[0]?.id, project.id)
    return !('visibility' in reply.json[0])
  }

  for (const word of ['true', 'True', 'TRUE', '1', 't', 'yes', 'on']) assert.equal(await isSimple(word), true, word)
  for (const word of ['false', 'False', '0', 'f', 'no', 'off']) assert.equal(await isSimple(word), false, word)
  assert.equal((await curl('/projects?simple=maybe', as(owner))).status, 400)
})

test('-I answers the headers of GET without a body', async () => {
  const { project, owner } = await scene.project()
  const stable = ({ 'x-request-id': _, date: __, ...headers }: Reply['headers']) => headers

  for (const address of ['/projects?owned=true', project.url]) {
    const head = await curl(address, [...as(owner), '-I'])
    const get = await curl(address, as(owner))
    assert.equal(head.status, 200)
    assert.deepEqual(stable(head.headers), stable(get.headers))
    assert.equal(get.text.length > 0, true)
  }
  assert.equal((await curl('/projects/999999999', [...as(owner), '-I'])).status, 404)
})

/** Requests an address and every `rel="next"` after it. */
async function follow(person: Person, address: string): Promise<Reply[]> {
  const replies: Reply[] = []
  for (let next: string | undefined = address; next; next = /<([^>]*)>; rel="next"/.exec(replies.at(-1)?.headers.link ?? '')?.[1])
    replies.push(await curl(next, as(person)))
  return replies
}

test('Link headers lead through all pages, filters kept', async () => {
  const person = await scene.user()
  const wanted: number[] = []
  for (let count = 0; count < 5; count++)
    wanted.push((await scene.project({ owner: person, description: `Red, one; ${count}` })).project.id)
  await scene.project({ owner: person, description: 'Blue' })

  const offset = await follow(person, '/projects?owned=true&search=red%2C%20one%3B&order_by=id&sort=asc&per_page=2')
  const keyset = await follow(person, '/projects?owned=true&search=red%2C%20one%3B&pagination=keyset&order_by=id&sort=asc&per_page=2')

  assert.deepEqual(idsOf(...offset), wanted)
  assert.deepEqual(idsOf(...keyset), wanted)
  assert.deepEqual(
    offset.map(({ headers }) => [
      headers['x-page'],
      headers['x-prev-page'],
      headers['x-next-page'],
      headers['x-total'],
      headers['x-total-pages'],
    ]),
    [
      ['1', '', '2', '5', '3'],
      ['2', '1', '3', '5', '3'],
      ['3', '2', '', '5', '3'],
    ],
  )
  // clients.md 0.9: a comma inside an address would split the header for some clients.
  for (const { headers } of offset) for (const part of (headers.link ?? '').split(', ')) assert.match(part, /^<http[^>,;]*>; rel="\w+"$/)
})

test('an entity tag that is still current is answered 304', async () => {
  const { project, owner } = await scene.project()
  const tag = join(workbench.directory, 'tag.txt')

  const first = await curl(project.url, [...as(owner), '--etag-save', tag])
  const again = await curl(project.url, [...as(owner), '--etag-compare', tag])
  await owner.put(project.url, { description: 'changed' })
  const changed = await curl(project.url, [...as(owner), '--etag-compare', tag])

  assert.equal((await readFile(tag, 'utf8')).trim(), first.headers.etag)
  assert.deepEqual([again.status, again.text, again.headers.etag], [304, '', first.headers.etag])
  assert.deepEqual([changed.status, changed.json.description], [200, 'changed'])
})

test('a query string up to 64 KB is read, a longer one is a 414 (decision 16)', async () => {
  const person = await scene.user()
  const query = async (bytes: number) => {
    const file = join(workbench.directory, `query-${bytes}.txt`)
    await writeFile(file, 'a'.repeat(bytes))
    return curl('/user', [...as(person), '-G', '--data-urlencode', `unknown@${file}`])
  }

  const long = await query(60_000)
  const tooLong = await query(70_000)

  assert.equal(long.status, 200)
  assert.deepEqual([tooLong.status, tooLong.json], [414, { message: '414 Request-URI Too Large' }])
})

test('a chunked body is read like any other', async () => {
  const { project, owner } = await scene.project()

  const reply = await curl(
    project.url,
    [...as(owner), ...json, '-X', 'PUT', '-H', 'Transfer-Encoding: chunked', '--data-binary', '@-'],
    JSON.stringify({ description: 'in chunks' }),
  )

  assert.deepEqual([reply.status, reply.json.description], [200, 'in chunks'])
})

test('a large form, which curl announces with Expect, is read to its end', async () => {
  const { project, owner } = await scene.project()
  const file = join(workbench.directory, 'large.txt')
  await writeFile(file, 'x'.repeat(2_000_000))

  const reply = await curl(project.url, [...as(owner), '-X', 'PUT', '-F', `description=<${file}`])

  assert.deepEqual([reply.status, reply.json.message.description], [400, ['is too long (maximum is 2000 characters)']])
})

test('an id may be a path, encoded in either case and with its dots; not encoded it is 404', async () => {
  const { group, owner } = await scene.group()
  const { group: subgroup } = await scene.group({ owner, parent: group })
  const { project } = await scene.project({ owner, group: subgroup, path: unique('dotted.project') })
  const upper = encodeURIComponent(project.full_path)
  const spelled = [upper, upper.toLowerCase(), upper.replaceAll('.', '%2E'), upper.replaceAll('%2F', '%2f').replaceAll('.', '%2e')]

  for (const id of spelled) assert.equal((await curl(`/projects/${id}`, as(owner))).json.id, project.id, id)
  assert.equal((await curl(`/projects/${project.full_path}`, as(owner))).status, 404)
  assert.equal((await curl(`/groups/${encodeURIComponent(subgroup.full_path)}`, as(owner))).json.id, subgroup.id)
})

test('repeated slashes are one (decision 18)', async () => {
  const { project, owner } = await scene.project()

  const reply = await curl(`${scene.url}//api//v4///projects//${project.id}`, [...as(owner), '--path-as-is'])

  assert.equal(reply.json.id, project.id)
})

test('a token is taken from its header in any case, as a bearer, and from the query', async () => {
  const person = await scene.user()
  const ways = [
    curl('/user', ['-H', `private-token: ${person.token}`]),
    curl('/user', ['-H', `Private-Token: ${person.token}`]),
    curl('/user', ['--oauth2-bearer', person.token]),
    curl(`/user?private_token=${person.token}`),
    curl(`/user?access_token=${person.token}`),
  ]

  for (const reply of await Promise.all(ways)) assert.equal(reply.json.id, person.id)
  assert.equal((await curl('/user')).status, 401)
  assert.deepEqual((await curl('/projects', ['-H', 'private-token: wrong'])).json, { message: '401 Unauthorized' })
})

test('sudo is a header or a parameter', async () => {
  const person = await scene.user()

  assert.equal((await curl('/user', [...as(scene.root), '-H', `Sudo: ${person.username}`])).json.id, person.id)
  assert.equal((await curl(`/user?sudo=${person.id}`, as(scene.root))).json.id, person.id)
  assert.equal((await curl('/user', [...as(person), '-H', 'Sudo: root'])).status, 403)
})

test('a method that an address does not have is a 405 that names those it has (decision 6)', async () => {
  const reply = await curl('/groups', [...as(scene.root), '-X', 'PATCH'])

  assert.equal(reply.status, 405)
  assert.deepEqual(reply.headers.allow?.split(', ').toSorted(), ['GET', 'HEAD', 'POST'])
})

test('an address that does not exist is a JSON 404', async () => {
  for (const address of ['/nothing/here', `${scene.url}/api/v3/projects`, `${scene.url}/api/projects`]) {
    const reply = await curl(address, as(scene.root))
    assert.deepEqual([reply.status, reply.json], [404, { error: '404 Not Found' }], address)
  }
})

test('HTTP/1.0 is answered', async () => {
  const { project, owner } = await scene.project()

  const reply = await curl(project.url, [...as(owner), '--http1.0'])

  assert.equal(reply.json.id, project.id)
})

test('-F commits several files in one request, read from disk by curl', async () => {
  const { project, owner } = await scene.project()
  const file = join(workbench.directory, 'content.txt')
  const content = 'a=b&c; "größer"\n'
  await writeFile(file, content)

  const made = await curl(`${project.url}/repository/commits`, [
    ...as(owner),
    ...['-F', 'branch=main', '-F', 'commit_message=Add two'],
    ...['-F', 'actions[][action]=create', '-F', 'actions[][file_path]=docs/one 1.txt', '-F', `actions[][content]=<${file}`],
    ...['-F', 'actions[][action]=create', '-F', 'actions[][file_path]=README.md', '-F', 'actions[][content]=# Two'],
  ])

  assert.equal(made.status, 201, made.text)
  assert.equal(made.json.stats.additions, 2)
  // clients.md 0.5: a file's path is one part of the address, its slashes encoded, and its dots where a client likes.
  for (const path of ['docs%2Fone%201.txt', 'docs%2fone%201%2Etxt'])
    assert.equal((await curl(`${project.url}/repository/files/${path}/raw?ref=main`, as(owner))).text, content)
  assert.equal((await curl(`${project.url}/repository/files/docs/one%201.txt/raw?ref=main`, as(owner))).status, 404)
})

test('-I of a file tells of it in headers (clients.md 0.7)', async () => {
  const { project, owner } = await scene.project()
  const id = await scene.commit(project, { 'docs/a.txt': 'hello\n' })

  const { status, headers, text } = await curl(`${project.url}/repository/files/docs%2Fa.txt?ref=main`, [
    ...as(owner),
    '-I',
    '-o',
    '/dev/null',
  ])

  assert.deepEqual([status, text], [200, ''])
  assert.deepEqual(
    ['file-name', 'file-path', 'size', 'ref', 'commit-id', 'last-commit-id'].map(name => headers[`x-gitlab-${name}`]),
    ['a.txt', 'docs/a.txt', '6', 'main', id, id],
  )
})

test('-OJ saves an archive under the name that the server gives it', async () => {
  const { project, owner } = await scene.project()
  const id = await scene.commit(project, { 'a.txt': 'hello\n' })
  const directory = join(workbench.directory, unique('download'))

  await curl(`${project.url}/repository/archive.tar.gz?sha=main`, [...as(owner), '--create-dirs', '--output-dir', directory, '-OJ'])

  const root = `${project.path}-main-${id}`
  const listed = await workbench.run('tar', ['-tzf', join(directory, `${root}.tar.gz`)])
  assert.deepEqual(listed.trimEnd().split('\n'), [`${root}/`, `${root}/a.txt`])
})

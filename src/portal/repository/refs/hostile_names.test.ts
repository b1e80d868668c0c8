/** Branches and tags may be called nearly anything: every link and form that pages have for them leads to them. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'
import { oauthScene } from '../../../identity/oauth/scene.ts'
import { ensureRepository } from '../../../spaces/projects/repository/store.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const owner = await surfer()

const names = [
  'a/-/settings',
  'a/-/tree/main',
  'tree/main',
  'main-/settings',
  'new',
  'edit/x',
  'merged/delete',
  'x%2fy',
  '%2e%2e/%2e%2e',
  '100%',
  'what#1',
  '#1',
  'a&b=c;d+e',
  '<b>"quoted"\'</b>',
  'é/日本/🪔',
  '\u202egnp',
  'e\u0301',
  'feature.zip',
  'feature.atom',
  'feature.diff',
  'deep/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16',
  'null',
  'true',
  '0',
  '__proto__',
  'constructor',
  `${'long'.repeat(50)}`,
]

/** Writes references as git has them. */
async function point(path: string, references: readonly string[], to: string): Promise<void> {
  const git = spawn('git', ['-C', path, 'update-ref', '-z', '--stdin'], { stdio: ['pipe', 'inherit', 'inherit'] })
  git.stdin.end(references.map(name => `update ${name}\0${to}\0\0`).join(''))
  assert.equal((await once(git, 'exit'))[0], 0)
}

/** A private project whose commit is on all these branches and tags. */
async function hostile() {
  const { project } = await scene.project({ owner: owner.person, visibility: 'private' })
  await scene.commit(project, { 'README.md': '# Lamps\n', 'src/lamp.ts': 'lit\n' })
  const row = await scene.deps.database.db
    .selectFrom('projects')
    .select(['id', 'repository_storage', 'default_branch'])
    .where('id', '=', project.id)
    .executeTakeFirstOrThrow()
  const { path } = await ensureRepository(scene.deps.database.db, scene.deps.storages, { ...project, ...row })
  return { project, path, page: `/${project.full_path}` }
}

const entities: Readonly<Record<string, string>> = { amp: '&', '#39': "'", quot: '"', lt: '<', gt: '>' }
const unescaped = (text: string) => text.replace(/&(amp|#39|quot|lt|gt);/g, (_, name: string) => entities[name] as string)
const linksIn = (body: string) => [...body.matchAll(/<a\s[^>]*?href="([^"#][^"]*)"/g)].map(([, href = '']) => unescaped(href))

const encoded = (name: string) => name.split('/').map(encodeURIComponent).join('/')

test('every link to a branch or tag leads to it, and the buttons of the lists delete it, whatever it is called', async () => {
  const { project, path, page } = await hostile()
  const { body: main } = await owner.person.get(`${project.url}/repository/branches/main`)
  await point(
    path,
    names.flatMap(name => [`refs/heads/${name}`, `refs/tags/${name}`]),
    main.commit.id,
  )
  const lists = ['branches', 'tags'].map(kind => `${page}/-/${kind}?per_page=100`)
  const found = new Set(lists)
  for (const name of names)
    for (const rest of [`tree/${encoded(name)}`, `blob/${encoded(name)}/README.md`, `edit/${encoded(name)}/src/lamp.ts`]) {
      const shown = await owner.get(`${page}/-/${rest}`)
      assert.equal(shown.status, 200, rest)
      assert.ok(unescaped(shown.body).includes(name), `${rest} is a page of ${name}`)
      for (const link of linksIn(shown.body)) {
        const { origin, pathname, search } = new URL(link, scene.url + page)
        if (origin === scene.url && pathname.startsWith(`${page}/-/`)) found.add(pathname + search)
      }
    }
  assert.ok(found.size > 5 * names.length, `${found.size} links`)
  const dead: string[] = []
  for (const address of found) {
    const { status } = await owner.get(address)
    if (status >= 400) dead.push(`${address} answers ${status}`)
  }
  assert.deepEqual(dead, [])

  for (const list of lists) {
    const { body } = await owner.get(list)
    const buttons = [...body.matchAll(/<form [^>]*action="([^"]*\/delete)"/g)].map(([, to = '']) => unescaped(to))
    const own = buttons.filter(to => !to.endsWith('/merged_branches/delete'))
    assert.equal(own.length, names.length)
    for (const to of own) assert.equal((await owner.submit(to, {})).status, 303, to)
  }
  const left = await owner.person.get(`${project.url}/repository/branches`)
  assert.deepEqual(
    left.body.map(({ name }: { name: string }) => name),
    ['main'],
  )
})

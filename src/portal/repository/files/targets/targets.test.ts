import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../../../test/scene.ts'
import { oauthScene } from '../../../../identity/oauth/scene.ts'
import { type ImportedCommit, importCommits } from '../../../../platform/git/scene.ts'
import { findRepository } from '../../../../spaces/projects/repository/store.ts'
import { resolvedTarget } from './link.ts'
import { submodulePage } from './submodule.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const owner = await surfer()
const by = scene.as({ 'private-token': owner.person.token })

async function projectWith(files: NonNullable<ImportedCommit['files']>) {
  const { body: project } = await by.post('/projects', { name: `Targets ${Math.random()}`.replace('.', ''), initialize_with_readme: true })
  const repository = await findRepository(scene.deps.storages, { id: project.id, repository_storage: 'default' })
  assert.ok(repository)
  importCommits(repository, 'main', [{ files }])
  return `/${project.path_with_namespace}`
}

const id = 'c0ffee'.padEnd(40, '0')

test('a symbolic link says where it leads, and leads there', async () => {
  const page = await projectWith({
    'docs/guide.md': '# Guide\n',
    'docs/deep/up': { mode: '120000', content: '../guide.md' },
    'folder.png': { mode: '120000', content: 'docs' },
    gone: { mode: '120000', content: 'docs/nothing' },
    outside: { mode: '120000', content: '/etc/<passwd>' },
  })
  const show = async (path: string) => (await owner.get(`${page}/-/blob/main/${path}`)).body

  const up = await show('docs/deep/up')
  assert.match(up, new RegExp(`Symbolic link to <a href="${page}/-/blob/main/docs/guide.md"><span [^>]*>../guide.md</span>`))
  assert.doesNotMatch(up, /-\/edit\/main/)
  assert.match(await show('folder.png'), new RegExp(`Symbolic link to <a href="${page}/-/blob/main/docs">`))
  assert.match(await show('gone'), /There is nothing of this name at this revision/)
  assert.match(await show('outside'), /Symbolic link to <span [^>]*>\/etc\/&lt;passwd&gt;<\/span>.*outside of the repository/)
  assert.match((await owner.get(`${page}/-/tree/main`)).body, /aria-label="Symbolic link"/)
})

test('targets of links are paths in the repository, or lead out of it', () => {
  assert.equal(resolvedTarget('a/b', './c//d/../e'), 'a/c/e')
  assert.equal(resolvedTarget('a/b', '..'), '')
  for (const out of ['../../c', '/c', '../../../a/b']) assert.equal(resolvedTarget('a/b', out), undefined, out)
})

test('a submodule leads to its repository at its commit', async () => {
  const modules = '[submodule "Lib \\"x\\""]\n\tpath = vendor/lib\n\turl = ../lib.git\n[submodule "no"]\n\tpath = vendor/none\n'
  const page = await projectWith({
    '.gitmodules': modules,
    'vendor/lib': { mode: '160000', content: id },
    'vendor/none': { mode: '160000', content: id },
  })
  const { body } = await owner.get(`${page}/-/tree/main/vendor`)
  assert.match(
    body,
    new RegExp(`<a href="${page.replace(/[^/]+$/, 'lib')}/-/tree/${id}" [^>]*>lib @ <span class="mono">c0ffee00</span></a>`),
  )
  assert.match(body, /<span>none @ <span class="mono">c0ffee00<\/span><\/span>/)

  const broken = await projectWith({ '.gitmodules': '[submodule "a', m: { mode: '160000', content: id } })
  assert.match((await owner.get(`${broken}/-/tree/main`)).body, /<span>m @ /)
})

test('addresses of submodules lead to pages of projects here, and of repositories elsewhere', () => {
  const of = (url: string) => submodulePage({ url, commit: id }, { project: { full_path: 'team/app' }, server: 'https://git.example.com' })
  assert.equal(of('../lib.git'), `/team/lib/-/tree/${id}`)
  assert.equal(of('https://ada:secret@git.example.com/team/sub/lib.git'), `/team/sub/lib/-/tree/${id}`)
  assert.equal(of('git@git.example.com:team/lib.git'), `/team/lib/-/tree/${id}`)
  assert.equal(of('ssh://git@git.example.com:2222/team/lib'), `/team/lib/-/tree/${id}`)
  assert.equal(of('https://ada:secret@code.example.net:8443/x/y.git'), 'https://code.example.net:8443/x/y')
  assert.equal(of('git@code.example.net:x/y.git'), 'https://code.example.net/x/y')
  for (const odd of ['javascript:alert(1)', 'file:///etc/passwd', '/srv/git/lib.git', '../../../lib', 'C:\\lib', '', 'data:text/html,x'])
    assert.equal(of(odd), undefined, odd)
})

test('a text that is no UTF-8 can be read, and is not offered to be edited', async () => {
  const page = await projectWith({ 'old.txt': Buffer.from('Lampe für Öl\n', 'latin1'), 'new.txt': 'Lampe für Öl\n' })
  const { body } = await owner.get(`${page}/-/blob/main/old.txt`)
  assert.match(body, /Lampe für Öl/)
  assert.match(body, /shown as Latin-1, since it is no UTF-8/)
  assert.doesNotMatch(body, /-\/edit\/main/)
  assert.match(body, /-\/replace\/main/)
  assert.match((await owner.get(`${page}/-/blame/main/old.txt`)).body, /Lampe für Öl/)
  assert.match((await owner.get(`${page}/-/blob/main/new.txt`)).body, /-\/edit\/main/)
})

/** Repositories of servers that speak no more than the dumb protocol of git, whose objects git does not check: none is read. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dumbGitServer } from '../../../test/dumb_git_server.ts'
import { openScene } from '../../../test/scene.ts'
import { importProject } from './task.ts'

const scene = await openScene({ settings: { outboundAllow: '127.0.0.1' } })
const owner = await scene.user()

let count = 0
for (const [filename, content] of [
  ['README.md', 'harmless'],
  ['.git', 'gitdir: elsewhere'],
  ['.git::$INDEX_ALLOCATION', 'x'],
  ['.gitmodules', '[submodule "a"]\n\tpath = -x\n\turl = https://example.com/a.git\n'],
] as const)
  test(`an import by dumb HTTP of ${filename}: ${content.slice(0, 8).trim()}`, async () => {
    const source = await dumbGitServer(filename, content)
    const created = await owner.post('/projects', { name: `Dumb ${++count}`, import_url: source.url })
    assert.equal(created.status, 201)
    await importProject(scene.deps, { project_id: created.body.id })

    const url = `/projects/${created.body.id}`
    const { body: project } = await owner.get(url)
    assert.deepEqual(
      [project.import_status, project.import_error, project.empty_repo],
      ['failed', 'The remote repository does not speak the smart protocol of git', true],
    )
    assert.equal((await owner.get(`${url}/repository/commits/${source.commit}`)).status, 404)
    assert.deepEqual(
      source.asked.filter(path => path.includes('/objects/')),
      [],
    )
  })

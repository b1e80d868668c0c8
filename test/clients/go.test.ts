/** The real `go` with the proxy of a project: it finds versions, downloads a module with its checksum, and builds with it. */
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { commitFiles } from '../../src/code/repository/scene.ts'
import { openScene } from '../scene.ts'
import { openWorkbench } from './workbench.ts'

const scene = await openScene()
const workbench = await openWorkbench()
const skip = (await workbench.has('go', ['version'])) ? false : 'go is not installed on this machine'

test('go gets a module by its versions, and a program is built with it', { skip }, async () => {
  const { project, owner } = await scene.project({ visibility: 'public' })
  const module = `${new URL(scene.url).hostname}/${project.full_path}`
  for (const [version, says] of [
    ['v1.0.0', 'old'],
    ['v1.1.0', 'new'],
  ]) {
    const source = `package greeting\n\n// Says what there is.\nfunc Says() string { return "${says}" }\n`
    await commitFiles(owner, project, { 'go.mod': `module ${module}\n\ngo 1.19\n`, 'greeting.go': source })
    await owner.post(`${project.url}/repository/tags`, { tag_name: version, ref: 'main' })
  }
  const cwd = join(workbench.directory, 'program')
  await mkdir(cwd)
  const main = `package main\n\nimport greeting "${module}"\n\nfunc main() { print(greeting.Says()) }\n`
  await writeFile(join(cwd, 'main.go'), main)
  const env = {
    GOPROXY: `${scene.url}/api/v4/projects/${project.id}/packages/go`,
    GONOSUMDB: '*',
    GOFLAGS: '-modcacherw',
    GOPATH: join(workbench.directory, 'go'),
    GOCACHE: join(workbench.directory, 'cache'),
    GOTOOLCHAIN: 'local',
  }
  const go = (...args: string[]) => workbench.attempt('go', args, { cwd, env })
  assert.equal((await go('mod', 'init', 'example.com/program')).code, 0)
  const listed = await go('list', '-m', '-versions', module)
  assert.equal(listed.stdout.trim(), `${module} v1.0.0 v1.1.0`, listed.stderr)
  const got = await go('get', `${module}@v1.0.0`)
  assert.equal(got.code, 0, got.stderr)
  const old = await go('run', '.')
  assert.equal(old.stderr, 'old')
  assert.equal((await go('get', `${module}@latest`)).code, 0)
  assert.equal((await go('run', '.')).stderr, 'new')
  const verified = await go('mod', 'verify')
  assert.equal(verified.stdout.trim(), 'all modules verified', verified.stderr)

  await owner.put(project.url, { visibility: 'private' })
  const refused = await go('list', '-m', '-versions', `${module}/other`)
  assert.match(refused.stderr, /401 Unauthorized/)
})

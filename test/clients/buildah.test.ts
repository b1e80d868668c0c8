/** The real `buildah` with the registry of a project: images for two machines are built, pushed as one index, and pulled again. */
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openScene } from '../scene.ts'
import { openWorkbench } from './workbench.ts'

const scene = await openScene()
const workbench = await openWorkbench()
const skip = (await workbench.has('buildah', ['--version'])) ? false : 'buildah is not installed on this machine'
const host = new URL(scene.url).host

/** A store of its own, in which images are folders: no kernel module is needed, and no right to mount. */
const buildah = (store: string, ...args: string[]) => {
  const place = (name: string) => join(workbench.directory, store, name)
  return workbench.attempt('buildah', ['--root', place('root'), '--runroot', place('run'), '--storage-driver', 'vfs', ...args])
}

async function run(store: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await buildah(store, ...args)
  assert.equal(code, 0, `${args.join(' ')}\n${stdout}${stderr}`)
  return stdout.trim()
}

test('an index of images for two machines is built, pushed by a deploy token and pulled for each of them', { skip }, async () => {
  const { project, owner } = await scene.project()
  const settings = join(workbench.directory, '.config/containers')
  await mkdir(settings, { recursive: true })
  await writeFile(join(settings, 'policy.json'), JSON.stringify({ default: [{ type: 'insecureAcceptAnything' }] }))
  const scopes = ['read_registry', 'write_registry']
  const { username, token } = (await owner.post(`${project.url}/deploy_tokens`, { name: 'images', scopes })).body
  const open = ['--tls-verify=false', `--creds=${username}:${token}`]
  const image = `${host}/${project.full_path}/tool:v1`

  await run('builder', 'manifest', 'create', 'tool')
  for (const machine of ['amd64', 'arm64']) {
    const file = join(workbench.directory, `${machine}.txt`)
    await writeFile(file, machine)
    const container = await run('builder', 'from', '--arch', machine, 'scratch')
    await run('builder', 'add', container, file, '/machine.txt')
    await run('builder', 'config', '--arch', machine, '--cmd', '/tool', container)
    await run('builder', 'commit', '--manifest', 'tool', container)
  }
  await run('builder', 'manifest', 'push', '--all', '--format', 'oci', ...open, 'tool', `docker://${image}`)

  for (const machine of ['amd64', 'arm64']) {
    await run(machine, 'pull', '--arch', machine, ...open, image)
    const shown = JSON.parse(await run(machine, 'inspect', '--type', 'image', image))
    assert.deepEqual([shown.OCIv1.architecture, shown.OCIv1.config.Cmd], [machine, ['/tool']])
  }
  const [repository] = (await owner.get(`${project.url}/registry/repositories`, { tags: true })).body
  assert.deepEqual([repository.path, repository.tags.map((tag: { name: string }) => tag.name)], [`${project.full_path}/tool`, ['v1']])
  const outsider = await scene.user()
  const refused = await buildah('outsider', 'pull', '--tls-verify=false', `--creds=${outsider.username}:${outsider.token}`, image)
  assert.notEqual(refused.code, 0)
  assert.match(refused.stderr, /denied|unauthorized|not found|unknown/i)
})

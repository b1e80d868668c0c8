/** A server that speaks SSH, and the system's `ssh` and `git` before it. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { startSshServer } from '../../src/code/ssh/server.ts'
import type { SettingName } from '../../src/platform/settings.ts'
import { loadSshHostKey } from '../../src/server/setup/ssh_host_key.ts'
import { atEnd } from '../at_end.ts'
import { openScene, type Person, type SceneProject } from '../scene.ts'
import { openCheckouts } from './checkouts.ts'
import { openWorkbench } from './workbench.ts'

/** Opens both; they end with the test file. */
export async function openSsh(settings: Partial<Record<SettingName, string>> = {}) {
  const scene = await openScene({ settings })
  const hostKey = await loadSshHostKey(scene.deps.config)
  const server = await startSshServer(scene.deps, { hostKey, host: '127.0.0.1', url: scene.url, port: 0 })
  atEnd(() => server.stop(0))
  const workbench = await openWorkbench()
  const { commit, git, place, pushedProject } = await openCheckouts(scene, workbench)

  /** A new pair of keys on disk: the path of the private one, and the public one. */
  async function newPair(type = 'ed25519'): Promise<{ file: string; key: string }> {
    const file = place('key')
    await workbench.run('ssh-keygen', ['-q', '-t', type, '-N', '', '-C', 'test', '-f', file])
    return { file, key: (await readFile(`${file}.pub`, 'utf8')).trim() }
  }

  /** The options with which `ssh` uses this key alone, and believes any server. */
  const options = (file: string) => [
    ...['-F', '/dev/null', '-i', file, '-o', 'IdentitiesOnly=yes', '-o', 'BatchMode=yes', '-o', 'LogLevel=ERROR'],
    ...['-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null'],
  ]

  /** A user's new key, added by the API. */
  async function keyOf(person: Person, type?: string): Promise<string> {
    const { file, key } = await newPair(type)
    const answer = await person.post('/user/keys', { title: 'Laptop', key })
    assert.equal(answer.status, 201)
    return file
  }

  const addressOf = (project: { readonly full_path: string }) => `ssh://git@127.0.0.1:${server.port}/${project.full_path}.git`

  /** Runs git with a key, where it may fail. */
  const attempt = (file: string, directory: string, ...args: string[]) =>
    workbench.attempt('git', args, { cwd: directory, env: { GIT_SSH_COMMAND: `ssh ${options(file).join(' ')}` } })

  /** Runs git with a key; it must succeed. */
  async function gitWith(file: string, directory: string, ...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await attempt(file, directory, ...args)
    assert.equal(code, 0, stderr)
    return stdout.trimEnd()
  }

  async function cloneWith(file: string, project: SceneProject, ...more: string[]): Promise<string> {
    const directory = place('clone')
    await gitWith(file, workbench.directory, 'clone', '--quiet', ...more, addressOf(project), directory)
    return directory
  }

  const tipOf = async (project: SceneProject, branch = 'main') =>
    (await scene.root.get(`${project.url}/repository/branches/${branch}`)).body.commit?.id

  return {
    hostKey,
    scene,
    server,
    workbench,
    commit,
    git,
    place,
    pushedProject,
    newPair,
    options,
    keyOf,
    addressOf,
    attempt,
    gitWith,
    cloneWith,
    tipOf,
  }
}

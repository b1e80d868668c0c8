/** The real `twine` and `pip` against the registry of a project and of a group: upload, download, what is there already, what is private. */
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { runningJob } from '../../src/ci/jobs/scene.ts'
import { openScene } from '../scene.ts'
import { openWorkbench } from './workbench.ts'

const scene = await openScene()
const workbench = await openWorkbench()
const python = '/usr/bin/python3'
const has = async (module: string) => workbench.has(python, ['-m', module, '--version'])
const skip = (await has('twine')) && (await has('pip')) ? false : 'twine or pip is not installed on this machine'

/** Writes a wheel, which is a zip with what it installs and three files about it. */
const makeWheel = `
import sys, zipfile
name, version, requires, folder = sys.argv[1:]
about = f'{name}-{version}.dist-info'
with zipfile.ZipFile(f'{folder}/{name}-{version}-py3-none-any.whl', 'w') as wheel:
    wheel.writestr(f'{name}/__init__.py', f'version = "{version}"\\n')
    wheel.writestr(f'{about}/METADATA', f'Metadata-Version: 2.1\\nName: {name}\\nVersion: {version}\\nRequires-Python: {requires}\\n\\n' + 'Long words. ' * 2000)
    wheel.writestr(f'{about}/WHEEL', 'Wheel-Version: 1.0\\nGenerator: hand\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
    wheel.writestr(f'{about}/RECORD', f'{name}/__init__.py,,\\n{about}/METADATA,,\\n{about}/WHEEL,,\\n{about}/RECORD,,\\n')
`

async function wheel(name: string, version: string, requires = '>=3.6'): Promise<string> {
  const folder = join(workbench.directory, 'dist')
  await mkdir(folder, { recursive: true })
  await writeFile(join(workbench.directory, 'wheel.py'), makeWheel)
  await workbench.run(python, ['wheel.py', name, version, requires, folder])
  return join(folder, `${name}-${version}-py3-none-any.whl`)
}

const twine = (username: string, password: string, api: string, ...args: string[]) =>
  workbench.attempt(
    python,
    ['-m', 'twine', 'upload', '--non-interactive', '--disable-progress-bar', '--repository-url', `${api}/packages/pypi`, ...args],
    {
      env: { TWINE_USERNAME: username, TWINE_PASSWORD: password },
    },
  )

let targets = 0

/** Installs from an index and from nowhere else, and gives what Python finds then. */
async function install(index: string, ...what: string[]) {
  const target = join(workbench.directory, `site-${++targets}`)
  const args = [
    '-m',
    'pip',
    'install',
    '--no-deps',
    '--no-cache-dir',
    '--disable-pip-version-check',
    '--no-input',
    '--isolated',
    '--retries',
    '0',
  ]
  const outcome = await workbench.attempt(python, [...args, '--index-url', index, '--target', target, ...what])
  const version = () => workbench.run(python, ['-c', 'import hand_made; print(hand_made.version)'], { env: { PYTHONPATH: target } })
  return { ...outcome, version }
}

test('twine uploads wheels once, and pip installs the one that fits', { skip }, async () => {
  const { group, owner } = await scene.group()
  const { project } = await scene.project({ group, owner })
  const api = `${scene.url}/api/v4/projects/${project.id}`
  const first = await twine(owner.username, owner.token, api, await wheel('hand_made', '1.0.0'), await wheel('hand_made', '1.1.0'))
  assert.equal(first.code, 0, first.stdout + first.stderr)
  const job = await runningJob(scene, project, owner)
  // One for a Python that does not exist yet: pip takes the newest that runs here.
  const newest = await twine('gitlab-ci-token', job.token, api, await wheel('hand_made', '2.0.0', '>=9.9'))
  assert.equal(newest.code, 0, newest.stdout + newest.stderr)

  const again = await wheel('hand_made', '1.0.0')
  assert.notEqual((await twine(owner.username, owner.token, api, again)).code, 0)
  assert.match((await twine(owner.username, owner.token, api, '--skip-existing', again)).stdout, /[Ss]kipping/)

  const withToken = (url: string, username: string, token: string) => url.replace('http://', `http://${username}:${token}@`)
  const simple = `${api}/packages/pypi/simple`
  const token = (await owner.post(`${project.url}/deploy_tokens`, { name: 'pip', scopes: ['read_package_registry'] })).body
  const installed = await install(withToken(simple, token.username, token.token), 'Hand.Made')
  assert.equal(installed.code, 0, installed.stderr)
  assert.equal((await installed.version()).trim(), '1.1.0')
  const ofGroup = `${scene.url}/api/v4/groups/${group.id}/-/packages/pypi/simple`
  const older = await install(withToken(ofGroup, owner.username, owner.token), 'hand-made==1.0.0')
  assert.equal(older.code, 0, older.stderr)
  assert.equal((await older.version()).trim(), '1.0.0')

  const outsider = await scene.user()
  const refused = await install(withToken(simple, outsider.username, outsider.token), 'hand-made')
  assert.match(refused.stderr, /No matching distribution/)
  assert.notEqual((await install(simple, 'hand-made')).code, 0)
  const [built] = (await owner.get(`${project.url}/packages`, { order_by: 'version', sort: 'desc' })).body
  assert.deepEqual([built.name, built.version, built.pipeline.id], ['hand-made', '2.0.0', job.pipelineId])
})

/** The real `terraform` (or `tofu`) with its backend `http`: init, apply, locks, force-unlock, state of a job. */
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { runningJob } from '../../src/ci/jobs/scene.ts'
import { openScene } from '../scene.ts'
import { openWorkbench } from './workbench.ts'

const scene = await openScene()
const workbench = await openWorkbench()
const program = (await workbench.has('terraform', ['version'])) ? 'terraform' : 'tofu'
const skip = (await workbench.has(program, ['version'])) ? false : 'neither terraform nor tofu is installed on this machine'

let folders = 0

/** A folder whose state is at this address. Nothing is installed: outputs and data of its own need no provider. */
async function folder(address: string, username: string, password: string, says = 'first') {
  const cwd = join(workbench.directory, `infrastructure-${++folders}`)
  await mkdir(cwd)
  await writeFile(join(cwd, 'main.tf'), `terraform {\n  backend "http" {}\n}\noutput "says" {\n  value = "${says}"\n}\n`)
  const values = {
    address,
    lock_address: `${address}/lock`,
    unlock_address: `${address}/lock`,
    lock_method: 'POST',
    unlock_method: 'DELETE',
    username,
    password,
    retry_max: '0',
  }
  const env = { CHECKPOINT_DISABLE: '1', TF_IN_AUTOMATION: '1', TF_CLI_CONFIG_FILE: join(cwd, 'none.rc') }
  await writeFile(env.TF_CLI_CONFIG_FILE, '')
  const attempt = (...args: string[]) => workbench.attempt(program, args, { cwd, env })
  const backend = Object.entries(values).map(([name, value]) => `-backend-config=${name}=${value}`)
  return { attempt, init: () => attempt('init', '-input=false', '-no-color', ...backend) }
}

test('terraform keeps its state here, locks it, and is refused where another one holds the lock', { skip }, async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  const address = `${scene.url}/api/v4/projects/${project.id}/terraform/state/production`
  const apply = ['apply', '-auto-approve', '-input=false', '-no-color']
  const first = await folder(address, owner.username, owner.token)
  for (const outcome of [await first.init(), await first.attempt(...apply)]) assert.equal(outcome.code, 0, outcome.stdout + outcome.stderr)

  const reader = await folder(address, developer.username, developer.token)
  assert.equal((await reader.init()).code, 0)
  assert.equal((await reader.attempt('output', '-raw', 'says')).stdout, 'first')
  assert.notEqual((await reader.attempt(...apply)).code, 0)

  const lock = {
    ID: 'b1c1f3e0-0000-4000-8000-000000000001',
    Operation: 'OperationTypeApply',
    Info: '',
    Who: 'me',
    Version: '1',
    Created: '2021-06-01T12:00:00Z',
    Path: '',
  }
  assert.equal((await owner.post(`${address}/lock`, lock)).status, 200)
  const job = await runningJob(scene, project, owner)
  const second = await folder(address, 'gitlab-ci-token', job.token, 'second')
  assert.equal((await second.init()).code, 0)
  const refused = await second.attempt(...apply)
  assert.notEqual(refused.code, 0)
  assert.match(refused.stderr, new RegExp(lock.ID))
  const unlocked = await second.attempt('force-unlock', '-force', '-no-color', lock.ID)
  assert.equal(unlocked.code, 0, unlocked.stdout + unlocked.stderr)
  const applied = await second.attempt(...apply)
  assert.equal(applied.code, 0, applied.stdout + applied.stderr)
  assert.equal((await first.attempt('output', '-raw', 'says')).stdout, 'second')
  assert.equal((await owner.post(`${address}/lock`, lock)).status, 200)
})

/**
 * python-gitlab as Debian packages it (python3-gitlab), unmodified. The journeys are Python's own unit tests, one file
 * for each chapter, against the server of this file's scene.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { startTaskWorker } from '../../src/server/tasks.ts'
import { openScene } from '../scene.ts'
import { openWorkbench } from './workbench.ts'

const scene = await openScene()
const workbench = await openWorkbench()
const python = await pythonWithLibrary()
const skip = python === undefined && 'no Python here can import gitlab: install Debian’s python3-gitlab'

/** A Python that has the library: Debian's own first, since another one on the PATH does not see Debian's packages. */
async function pythonWithLibrary(): Promise<string | undefined> {
  for (const candidate of ['/usr/bin/python3', 'python3']) {
    if (await workbench.has(candidate, ['-c', 'import gitlab'])) return candidate
  }
  return undefined
}

/** Runs a module of Python; the library's warnings are failures. */
const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  workbench.attempt(python as string, ['-B', '-W', 'error::UserWarning', '-m', ...args], {
    cwd: join(import.meta.dirname, 'python_gitlab'),
    env,
  })

for (const chapter of [
  'people',
  'places',
  'projects',
  'around',
  'wire',
  'repositories',
  'machines',
  'files',
  'issues',
  'planning',
  'forks',
  'talk',
  'deployed',
  'merge_requests',
  'released',
  'artifacts',
  'images',
]) {
  test(`python-gitlab: ${chapter}`, { skip }, async t => {
    // A pipeline follows its jobs where a worker processes it.
    const worker = chapter === 'artifacts' ? await startTaskWorker(scene.deps, { concurrency: 1 }) : undefined
    const { code, stderr } = await run(['unittest', chapter], { INGOT_URL: scene.url, INGOT_TOKEN: scene.root.token }).finally(() =>
      worker?.stop(),
    )

    assert.equal(code, 0, stderr)
    // Python calls a run without any test a success, and a skipped test too.
    const summary = /^Ran ([1-9]\d*) tests? in .*\n\nOK\n$/m.exec(stderr)
    assert.ok(summary, stderr)
    t.diagnostic(`${summary[1]} journeys`)
  })
}

test('python-gitlab: the command line', { skip }, async () => {
  const { project, owner } = await scene.project({ description: 'By the command line' })
  const gitlab = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(['gitlab', '--server-url', scene.url, '--private-token', owner.token, '-o', 'json', ...args])
    assert.equal(code, 0, stderr)
    return stdout.trim() === '' ? undefined : JSON.parse(stdout)
  }

  assert.equal((await gitlab('project', 'get', '--id', project.full_path)).description, 'By the command line')
  await gitlab('project', 'update', '--id', String(project.id), '--description', 'Changed')
  assert.deepEqual(
    (await gitlab('project', 'list', '--owned', 'true', '--all')).map((row: { description: string }) => row.description),
    ['Changed'],
  )
  const group = await gitlab('group', 'create', '--name', 'By command', '--path', `by-command-${project.id}`)
  await gitlab('group', 'delete', '--id', String(group.id))
  await gitlab('project', 'delete', '--id', String(project.id))
  assert.equal((await owner.get(project.url)).status, 404)
  assert.equal((await owner.get(`/groups/${group.id}`)).status, 404)
})

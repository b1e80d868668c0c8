import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { git, importCommits, openScene } from '../scene.ts'
import type { Repository } from '../storage/repository.ts'
import { client, serve } from './smart-server.ts'

const line = 'history is kept here'

/**
 * A server whose `main` must not lose commits, and a clone in which both branches have diverged from it: pushing
 * either loses a commit.
 */
async function world(directory: string, repository: Repository, diverged: readonly string[]) {
  const base = importCommits(repository, 'main', [{ files: { a: '1' } }])
  for (const branch of ['main', 'topic']) importCommits(repository, branch, [{ message: branch, files: { [branch]: '1' } }], base)
  const server = await serve(repository, { rewriteRefusal: ref => (ref === 'refs/heads/main' ? line : undefined) })
  const work = join(directory, 'work')
  await client(directory, ['clone', '--quiet', server.url, work])
  await client(work, ['branch', '--quiet', 'topic', 'origin/topic'])
  for (const branch of ['main', 'topic']) {
    await client(work, ['switch', '--quiet', branch])
    if (diverged.includes(branch)) await client(work, ['reset', '--quiet', '--hard', base])
    await client(work, ['commit', '--quiet', '--allow-empty', '--message', `new ${branch}`])
  }
  const heads = () => ['main', 'topic'].map(branch => git(repository, ['rev-parse', branch]))
  const wanted = ['main', 'topic'].map(branch => git(work, ['rev-parse', branch]))
  return { server, work, heads, wanted, push: (...args: string[]) => client(work, ['push', ...args, 'origin', 'main', 'topic']) }
}

test('a forced push is refused where history is kept, and goes through elsewhere', async () => {
  await using scene = await openScene()
  const { server, heads, wanted, push } = await world(scene.directory, await scene.repository(), ['main', 'topic'])
  await using _server = server
  const before = heads()

  const { code, output } = await push('--force')

  assert.notEqual(code, 0)
  assert.match(output, new RegExp(`! \\[remote rejected\\] main -> main \\(${line}\\)`))
  assert.match(output, /\+ .* topic -> topic \(forced update\)/)
  assert.deepEqual(heads(), [before[0], wanted[1]])
  assert.deepEqual(
    server.settled[0]?.map(({ ref, refusal }) => [ref, refusal]),
    [
      ['refs/heads/main', line],
      ['refs/heads/topic', undefined],
    ],
  )
})

test('a push that keeps history is made beside a forced one that may be', async () => {
  await using scene = await openScene()
  const { server, heads, wanted, push } = await world(scene.directory, await scene.repository(), ['topic'])
  await using _server = server
  const { code, output } = await push('--force')
  assert.equal(code, 0, output)
  assert.deepEqual(heads(), wanted)
})

test('an atomic push moves all of its branches or none', async () => {
  await using scene = await openScene()
  const refused = await world(scene.directory, await scene.repository(), ['main', 'topic'])
  await using _refused = refused.server
  const before = refused.heads()
  const { output } = await refused.push('--force', '--atomic')
  assert.match(output, new RegExp(line))
  assert.deepEqual(refused.heads(), before)
})

test('an atomic push of a forced branch that may be forced goes through whole', async () => {
  await using scene = await openScene()
  const { server, heads, wanted, push } = await world(scene.directory, await scene.repository(), ['topic'])
  await using _server = server
  const { code, output } = await push('--force', '--atomic')
  assert.equal(code, 0, output)
  assert.deepEqual(heads(), wanted)
})

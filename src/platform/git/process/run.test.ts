import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { importCommits, openScene } from '../scene.ts'
import { gitProcesses, runGit, startGit, streamGit } from './run.ts'

test('a value that looks like a flag is taken as a value', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  await assert.rejects(runGit(repository, { subcommand: 'rev-list', values: ['--all'] }), { kind: 'corrupt', exitCode: 128 })
})

test('paths are literal, not patterns', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  importCommits(repository, 'main', [{ files: { '*': 'star', a: '1' } }, { files: { a: '2' } }])
  const { stdout } = await runGit(repository, { subcommand: 'rev-list', flags: ['--count'], values: ['main'], paths: ['*'] })
  assert.equal(stdout.toString(), '1\n')
})

test('output beyond the limit is refused', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  importCommits(repository, 'main', [{}])
  await assert.rejects(runGit(repository, { subcommand: 'rev-list', values: ['main'], maxOutputBytes: 10 }), {
    kind: 'too_large',
    limit: 10,
  })
})

test('a process is stopped by its time limit and by the signal, and each start is counted', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const before = gitProcesses.started

  const late = await startGit(repository, { subcommand: 'cat-file', flags: ['--batch'], timeoutMs: 1 })
  late.stdout.resume()
  await assert.rejects(late.done, { kind: 'timeout' })
  const controller = new AbortController()
  const unwanted = await startGit(repository, { subcommand: 'cat-file', flags: ['--batch'], signal: controller.signal })
  unwanted.stdout.resume()
  controller.abort()
  await assert.rejects(unwanted.done, { kind: 'aborted' })

  assert.equal(gitProcesses.started, before + 2)
})

test('a process is killed when its output is not wanted any more', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const git = await startGit(repository, { subcommand: 'cat-file', flags: ['--batch'] })
  git.stdout.destroy()
  await assert.rejects(git.done, { kind: 'aborted' })
})

test('a stream fails when git fails', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  await assert.rejects(
    async () => {
      for await (const _ of streamGit(repository, { subcommand: 'cat-file', flags: ['blob'], values: ['0'.repeat(40)] }));
    },
    { kind: 'corrupt' },
  )
})

test('a repository that is not there is not found', async () => {
  await using scene = await openScene()
  await assert.rejects(runGit(scene.storage.repository(404), { subcommand: 'for-each-ref' }), { kind: 'not_found' })
})

test('a directory that has lost its HEAD is a damaged repository, not a missing one', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  await rm(join(repository.path, 'HEAD'))
  await assert.rejects(runGit(repository, { subcommand: 'for-each-ref' }), { kind: 'corrupt' })
})

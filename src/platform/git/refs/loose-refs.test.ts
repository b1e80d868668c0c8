import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, linkSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { zeroId } from '../objects/oid.ts'
import { gitProcesses } from '../process/run.ts'
import { git, importCommits, openScene } from '../scene.ts'
import type { Repository } from '../storage/repository.ts'
import type { RefMove } from './loose-refs.ts'
import { moveLooseRefs, readLooseRef, releaseLocks } from './loose-refs.ts'
import { RefConflict, RefLocked, updateRefs } from './update.ts'

const scene = await openScene()
after(() => scene[Symbol.asyncDispose]())

/** A repository with two commits on `main`, the older one first. */
async function repositoryOfTwo() {
  const repository = await scene.repository()
  const one = importCommits(repository, 'main', [{ message: 'one' }])
  const two = importCommits(repository, 'main', [{ message: 'two' }])
  return { repository, one, two }
}

const tipOf = (repository: Repository, ref: string) => git(repository, ['for-each-ref', '--format=%(objectname)', ref])

/** The remaining temporary files and locks. */
const leftovers = ({ path }: Repository) =>
  (readdirSync(path, { recursive: true }) as string[]).filter(name => name.endsWith('.lock') || name.includes('tmp_'))

test('a reference is made, moved and deleted without a process, and git sees each of them', async () => {
  const { repository, one, two } = await repositoryOfTwo()
  const ref = 'refs/heads/some/ä-branch'
  const before = gitProcesses.started

  for (const [old, target] of [
    [zeroId, one],
    [one, two],
    [two, zeroId],
  ] as const) {
    await updateRefs(repository, [{ ref, old, new: target }])
    assert.equal(tipOf(repository, ref) || zeroId, target)
    assert.equal(readLooseRef(repository, ref), target)
  }

  assert.equal(gitProcesses.started, before)
  git(repository, ['fsck', '--strict'])
  assert.deepEqual(leftovers(repository), [])
})

test('several references move together or not at all', async () => {
  const { repository, one, two } = await repositoryOfTwo()
  git(repository, ['update-ref', 'refs/heads/topic', two])
  const moves: RefMove[] = [
    { ref: 'refs/heads/new', old: zeroId, new: two },
    { ref: 'refs/heads/main', old: two, new: one },
    { ref: 'refs/heads/topic', old: one, new: zeroId },
  ]

  assert.equal(await moveLooseRefs(repository, moves), false)
  assert.deepEqual(
    ['new', 'main', 'topic'].map(name => tipOf(repository, `refs/heads/${name}`)),
    ['', two, two],
  )

  assert.equal(await moveLooseRefs(repository, moves.with(2, { ref: 'refs/heads/topic', old: two, new: zeroId })), true)
  assert.deepEqual(
    ['new', 'main', 'topic'].map(name => tipOf(repository, `refs/heads/${name}`)),
    [two, one, ''],
  )
  assert.deepEqual(leftovers(repository), [])
})

test('a reference that is packed moves, and is deleted by git', async () => {
  const { repository, one, two } = await repositoryOfTwo()
  git(repository, ['pack-refs', '--all', '--prune'])
  assert.equal(readLooseRef(repository, 'refs/heads/main'), two)

  assert.equal(await moveLooseRefs(repository, [{ ref: 'refs/heads/main', old: one, new: two }]), false)
  assert.equal(await moveLooseRefs(repository, [{ ref: 'refs/heads/main', old: two, new: one }]), true)
  assert.equal(tipOf(repository, 'refs/heads/main'), one)

  // The older value in `packed-refs` must not reappear.
  assert.equal(await moveLooseRefs(repository, [{ ref: 'refs/heads/main', old: one, new: zeroId }]), false)
  await updateRefs(repository, [{ ref: 'refs/heads/main', old: one, new: zeroId }])
  assert.equal(tipOf(repository, 'refs/heads/main'), '')
  assert.deepEqual(leftovers(repository), [])
})

/** Obstacles to a move of `refs/heads/a/b` or `refs/heads/main`; such a move is left to git. */
const unusual: readonly (readonly [string, (repository: Repository, id: string) => void, string])[] = [
  ['a reference above', (repository, id) => git(repository, ['update-ref', 'refs/heads/a', id]), 'refs/heads/a/b'],
  ['a packed reference above', (repository, id) => packed(repository, 'refs/heads/a', id), 'refs/heads/a/b'],
  ['a reference below', (repository, id) => git(repository, ['update-ref', 'refs/heads/a/b/c', id]), 'refs/heads/a/b'],
  ['a packed reference below', (repository, id) => packed(repository, 'refs/heads/a/b/c', id), 'refs/heads/a/b'],
  ['an empty directory', ({ path }) => mkdirSync(join(path, 'refs/heads/a/b'), { recursive: true }), 'refs/heads/a/b'],
  ['a lock of another process', ({ path }) => writeFileSync(join(path, 'refs/heads/main.lock'), ''), 'refs/heads/main'],
  ['a symbolic reference', repository => git(repository, ['symbolic-ref', 'refs/heads/main', 'refs/heads/other']), 'refs/heads/main'],
  ['a reflog', ({ path }) => mkdirSync(join(path, 'logs')), 'refs/heads/main'],
  ['something that is no id', ({ path }) => writeFileSync(join(path, 'refs/heads/main'), 'x\n'), 'refs/heads/main'],
]

function packed(repository: Repository, ref: string, id: string): void {
  git(repository, ['update-ref', ref, id])
  git(repository, ['pack-refs', '--all', '--prune'])
}

for (const [what, arrange, ref] of unusual)
  test(`${what} leaves the move to git`, async () => {
    const { repository, one, two } = await repositoryOfTwo()
    arrange(repository, two)
    const before = git(repository, ['for-each-ref'])

    assert.equal(await moveLooseRefs(repository, [{ ref, old: ref === 'refs/heads/main' ? two : zeroId, new: one }]), false)

    assert.equal(git(repository, ['for-each-ref']), before)
    assert.deepEqual(
      leftovers(repository).filter(name => !name.endsWith('main.lock')),
      [],
    )
  })

test('a link in place of a reference is left to git', async () => {
  const { repository, one, two } = await repositoryOfTwo()
  symlinkSync('main', join(repository.path, 'refs/heads/link'))

  assert.equal(await moveLooseRefs(repository, [{ ref: 'refs/heads/link', old: two, new: one }]), false)
})

test('of concurrent movers of a reference, git among them, one wins each time', async () => {
  const { repository, one } = await repositoryOfTwo()
  const ref = 'refs/heads/counter'
  git(repository, ['update-ref', ref, one])
  importCommits(
    repository,
    'side',
    Array.from({ length: 48 }, (_, index) => ({ message: `side ${index}` })),
  )
  // Each of the racing movers moves the reference to its own commit.
  const ids = git(repository, ['rev-list', 'side']).split('\n')
  const won = new Map<string, string>()
  const race = async (own: readonly string[], byGit: boolean) => {
    for (const [tries, id] of own.entries()) {
      const old = tipOf(repository, ref)
      try {
        if (byGit) await gitUpdate(repository, ref, id, old)
        else await updateRefs(repository, [{ ref, old, new: id }])
        assert.ok(!won.has(old), `two have moved it from ${old}`)
        won.set(old, id)
      } catch (error) {
        if (!(error instanceof (byGit ? GitLost : RefConflict))) throw error
      }
      if (tries % 2 === 1) git(repository, ['pack-refs', '--all', '--prune'])
    }
  }

  await Promise.all(Array.from({ length: 12 }, (_, racer) => race(ids.slice(racer * 4, racer * 4 + 4), racer % 2 === 0)))

  // One path leads from the first value to the last, and all winners are on it: nothing was overwritten.
  let at = one
  for (const _ of won.values()) at = won.get(at) as string
  assert.equal(tipOf(repository, ref), at)
  assert.ok(won.size > 1)
  git(repository, ['fsck', '--strict'])
  assert.deepEqual(leftovers(repository), [])
})

class GitLost extends Error {}

/** `git update-ref`, asynchronously. */
async function gitUpdate({ path }: Repository, ref: string, id: string, old: string): Promise<void> {
  const [code] = await once(spawn('git', ['update-ref', ref, id, old], { cwd: path, stdio: 'ignore' }), 'exit')
  if (code !== 0) throw new GitLost()
}

test('a lock left by a killed process is recognised by its two names and removed', async () => {
  const { repository, one, two } = await repositoryOfTwo()
  const lock = join(repository.path, 'refs/heads/main.lock')
  const leave = () => {
    const file = join(repository.path, 'objects', 'tmp_ref_left')
    writeFileSync(file, `${one}\n`)
    linkSync(file, lock)
  }
  leave()
  // Made by this process, as far as it can be determined.
  releaseLocks(repository, ['refs/heads/main'])
  assert.ok(existsSync(lock))
  await rm(lock)
  await rm(join(repository.path, 'objects', 'tmp_ref_left'))

  // Another process, which starts after the lock was made, moves the reference and finds the lock of a third one.
  const script = `
    import { moveLooseRefs } from ${JSON.stringify(import.meta.resolve('./loose-refs.ts'))}
    const place = { path: ${JSON.stringify(repository.path)} }
    console.log(await moveLooseRefs(place, [{ ref: 'refs/heads/main', old: '${two}', new: '${one}' }]))`
  leave()
  assert.equal(await outputOf(script), 'true\n')
  assert.equal(tipOf(repository, 'refs/heads/main'), one)
  assert.ok(!existsSync(lock))
})

test('a lock of git that is not released refuses the move and keeps the reference; one left for hours is removed', async t => {
  const { repository, one, two } = await repositoryOfTwo()
  const lock = join(repository.path, 'refs/heads/main.lock')
  const move = { ref: 'refs/heads/main', old: two, new: one }
  writeFileSync(lock, '')

  await assert.rejects(updateRefs(repository, [move]), error => error instanceof RefLocked && error.kind === 'conflict')
  assert.equal(tipOf(repository, 'refs/heads/main'), two)
  assert.ok(existsSync(lock))

  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 2 * 60 * 60 * 1000 })
  await updateRefs(repository, [move])
  assert.equal(tipOf(repository, 'refs/heads/main'), one)
  assert.deepEqual(leftovers(repository), [])
})

async function outputOf(script: string): Promise<string> {
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', text => {
    output += text
  })
  await once(child, 'close')
  return output
}

test('a process killed at any moment leaves an intact repository whose references can move', async () => {
  const { repository, one, two } = await repositoryOfTwo()
  const script = `
    import { moveLooseRefs } from ${JSON.stringify(import.meta.resolve('./loose-refs.ts'))}
    const place = { path: ${JSON.stringify(repository.path)} }
    const ids = ['${two}', '${one}']
    for (let at = 0; ; at = 1 - at) {
      await moveLooseRefs(place, [{ ref: 'refs/heads/main', old: ids[at], new: ids[1 - at] }])
      if (at === 1) console.log('moved')
    }`
  for (let round = 0; round < 3; round++) {
    git(repository, ['update-ref', 'refs/heads/main', two])
    const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', script], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    await once(child, 'close')

    assert.ok([one, two].includes(tipOf(repository, 'refs/heads/main')))
    // The next process can distinguish what this one cannot distinguish from its own locks.
    await outputOf(`
      import { releaseLocks } from ${JSON.stringify(import.meta.resolve('./loose-refs.ts'))}
      releaseLocks({ path: ${JSON.stringify(repository.path)} }, ['refs/heads/main'])`)
    git(repository, ['fsck', '--strict'])
  }
})

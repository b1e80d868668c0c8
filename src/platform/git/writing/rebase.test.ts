import assert from 'node:assert/strict'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { gitProcesses } from '../process/run.ts'
import { git, type ImportedCommit, importCommits, openScene, type Scene } from '../scene.ts'
import type { Repository } from '../storage/repository.ts'
import { RebaseConflict, rebaseCommits } from './rebase.ts'

const now = new Date('2021-06-01T10:00:00Z')
const committer = { name: 'Bob', email: 'bob@example.com' }

/** The tip that `git rebase` produces in a work tree, or undefined if it stops at a conflict. */
async function rebasedByGit({ directory }: Scene, repository: Repository, source: string, onto: string): Promise<string | undefined> {
  const work = join(await mkdtemp(join(directory, 'work-')), 'tree')
  git(repository, ['worktree', 'add', '--quiet', '--detach', work, source])
  try {
    git(work, ['-c', 'core.editor=true', 'rebase', '--quiet', onto])
    return git(work, ['rev-parse', 'HEAD'])
  } catch {
    return undefined
  } finally {
    git(repository, ['worktree', 'remove', '--force', work])
  }
}

/** The new commits with everything that is preserved of the old ones. */
const commitsOf = (repository: Repository, onto: string, tip: string) =>
  git(repository, ['log', '--reverse', '--topo-order', '--format=%T|%an|%ae|%ad|%e|%B', '--date=raw', `${onto}..${tip}`])

/** Rebases in memory and with git, and asserts that the results are equal; returns the new tip. */
async function rebased(scene: Scene, repository: Repository, source: string, onto: string): Promise<string> {
  const tip = await rebaseCommits(repository, { source, onto, committer, now })
  const expected = await rebasedByGit(scene, repository, source, onto)
  assert.ok(expected, 'git stops at a conflict')
  assert.equal(commitsOf(repository, onto, tip), commitsOf(repository, onto, expected))
  assert.equal(git(repository, ['rev-list', '--count', `${tip}..${onto}`]), '0')
  return tip
}

const lines = (count: number, changes: Record<number, string> = {}) =>
  Array.from({ length: count }, (_, index) => `${changes[index] ?? `line ${index}`}\n`).join('')

test('authors, dates and messages stay, and the rebasing user is the committer', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const base = importCommits(repository, 'main', [{ files: { a: lines(30) } }])
  const source = importCommits(
    repository,
    'topic',
    [
      {
        files: { a: lines(30, { 20: 'x' }) },
        author: 'Zoë <zoe@example.com>',
        date: '1500000000 +0530',
        message: 'First\n\nwith a body\n\n# no comment\n',
      },
      { files: { b: '1\n' }, message: 'Second' },
      { message: 'Empty from the beginning\n' },
      { files: { a: null, moved: lines(30, { 20: 'x', 25: 'y' }) }, message: 'Rename\n' },
    ],
    base,
  )
  const onto = importCommits(repository, 'main', [{ files: { a: lines(30, { 2: 'z' }) } }])

  const tip = await rebased(scene, repository, source, onto)

  assert.equal(
    git(repository, ['log', '--format=%cn <%ce> %ct', `${onto}..${tip}`]),
    Array(4).fill('Bob <bob@example.com> 1622541600').join('\n'),
  )
  assert.equal(git(repository, ['show', `${tip}:moved`]), lines(30, { 2: 'z', 20: 'x', 25: 'y' }).trimEnd())
  assert.equal(git(repository, ['rev-parse', 'topic']), source)
  git(repository, ['fsck', '--strict', '--no-dangling'])
})

test('commits that are in place stay, and a branch that is up to date keeps its tip', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const base = importCommits(repository, 'main', [{ files: { a: '1' } }])
  const source = importCommits(repository, 'topic', [{ files: { b: '1' } }, { files: { c: '1' } }], base)
  const rebase = (from: string, onto: string) => rebaseCommits(repository, { source: from, onto, committer, now })
  assert.equal(await rebase(source, base), source)
  assert.equal(await rebase(base, source), source)
  assert.equal(await rebase(source, source), source)
})

test('merges are left out, and so are changes that the target has already, as a commit or as a part of one', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const base = importCommits(repository, 'main', [{ files: { a: lines(20), b: '1\n' } }])
  const side = importCommits(repository, 'side', [{ files: { side: '1\n' } }], base)
  importCommits(
    repository,
    'topic',
    [
      { files: { a: lines(20, { 3: 'x' }) }, message: 'picked' },
      { files: { b: '2\n' }, message: 'a part' },
    ],
    base,
  )
  const merged = git(repository, [
    'commit-tree',
    '-m',
    'merge',
    '-p',
    'topic',
    '-p',
    side,
    git(repository, ['merge-tree', '--write-tree', 'topic', side]),
  ])
  const source = importCommits(
    repository,
    'topic',
    [
      { files: { b: '3\n' }, message: 'after' },
      { files: { a: lines(20, { 3: 'x', 4: 'y' }) }, message: 'last' },
    ],
    merged,
  )
  const onto = importCommits(repository, 'main', [
    { files: { a: lines(20, { 3: 'x' }) }, message: 'the same' },
    { files: { b: '2\n', more: '1\n' }, message: 'and more' },
  ])

  const tip = await rebased(scene, repository, source, onto)
  assert.equal(git(repository, ['log', '--reverse', '--format=%s', `${onto}..${tip}`]), 'Commit 0\nafter\nlast')
})

test('histories without a common commit, and commits that empty the tree', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const onto = importCommits(repository, 'main', [{ files: { a: '1\n' } }])
  const source = importCommits(repository, 'other', [{ files: { b: '1\n' } }, { files: { b: null } }, { files: { c: '1\n' } }])
  await rebased(scene, repository, source, onto)
})

test('the commit that conflicts is named, with its files', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const base = importCommits(repository, 'main', [{ files: { a: lines(20), b: '1\n', c: '1\n' } }])
  importCommits(repository, 'topic', [{ files: { d: '1\n' } }], base)
  const guilty = importCommits(repository, 'topic', [{ files: { b: '2\n', c: '2\n' } }])
  // The whole branch would merge: the conflict is in the middle.
  const source = importCommits(repository, 'topic', [{ files: { b: '1\n', c: '1\n' } }])
  const onto = importCommits(repository, 'main', [{ files: { b: '3\n', c: '3\n' } }])

  assert.equal(await rebasedByGit(scene, repository, source, onto), undefined)
  await assert.rejects(rebaseCommits(repository, { source, onto, committer, now }), (error: unknown) => {
    assert.ok(error instanceof RebaseConflict)
    assert.deepEqual([error.kind, error.commit, error.paths], ['conflict', guilty, ['b', 'c']])
    return true
  })
})

test('the number of processes does not grow with the number of commits', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const base = importCommits(repository, 'main', [{ files: { a: lines(400) } }])
  const onto = importCommits(repository, 'main', [{ files: { a: lines(400, { 399: 'end' }), 'target only': '1' } }])
  const cost = async (count: number) => {
    const changes: Record<number, string> = {}
    const commits = Array.from({ length: count }, (_, index): ImportedCommit => {
      changes[index * 2] = `changed by ${index}`
      return { files: { a: lines(400, changes) } }
    })
    const source = importCommits(repository, `topic${count}`, commits, base)
    const before = gitProcesses.started
    const tip = await rebaseCommits(repository, { source, onto, committer, now })
    const started = gitProcesses.started - before
    assert.equal(git(repository, ['rev-list', '--count', `${onto}..${tip}`]), String(count))
    return started
  }
  await cost(1)
  // A handful of new commits is written without git.
  const costs = [await cost(3), await cost(20), await cost(150)]
  assert.ok(Math.max(...costs) <= 6, `${costs}`)
})

test('random histories give the same result as git, or stop where git stops', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const outcomes = { rebased: 0, stopped: 0 }
  for (const seed of [2, 4, 5]) {
    const random = randomFrom(seed)
    const name = `start${seed}`
    const base = importCommits(repository, name, [{ files: { f0: lines(12), f1: lines(12), f2: lines(12) } }])
    const source = importCommits(repository, `${name}-topic`, randomCommits(random, 6), base)
    const onto = importCommits(repository, `${name}-main`, randomCommits(random, 2), base)
    const expected = await rebasedByGit(scene, repository, source, onto)
    const tip = await rebaseCommits(repository, { source, onto, committer, now }).catch(error => {
      if (error instanceof RebaseConflict) return undefined
      throw error
    })
    const shown = (id: string | undefined) => id && commitsOf(repository, onto, id)
    assert.equal(shown(tip), shown(expected), `seed ${seed}`)
    outcomes[tip === undefined ? 'stopped' : 'rebased'] += 1
  }
  assert.ok(outcomes.rebased > 0 && outcomes.stopped > 0, JSON.stringify(outcomes))
})

/** Numbers below `limit`, the same for the same seed. */
function randomFrom(seed: number): (limit: number) => number {
  let state = seed * 2654435761
  return limit => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return (state >>> 8) % limit
  }
}

/** Commits that change a line, revert the change, add a file, or rename one. */
function randomCommits(random: (limit: number) => number, count: number): ImportedCommit[] {
  const files = new Map([0, 1, 2].map(index => [`f${index}`, {} as Record<number, string>]))
  return Array.from({ length: count }, (_, index) => {
    const names = [...files.keys()]
    const name = names[random(names.length)]!
    const changes = files.get(name)!
    const action = random(8)
    if (action === 0) {
      files.delete(name)
      files.set(`${name}r`, changes)
      return { files: { [name]: null, [`${name}r`]: lines(12, changes) } }
    }
    if (action === 1) return { files: { [`new${random(3)}`]: `${random(2)}\n` }, message: `add ${index}` }
    const line = random(12)
    if (action === 2) delete changes[line]
    else changes[line] = `value ${random(3)}`
    return { files: { [name]: lines(12, changes) }, message: `change ${index}` }
  })
}

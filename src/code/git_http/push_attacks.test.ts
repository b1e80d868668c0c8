/** Pushes that try to bypass the rules of protected references by combining commands that would be refused one by one. */
import assert from 'node:assert/strict'
import { rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { basic, emptyPack, rawPush } from '../../../test/raw_push.ts'
import { openScene, type Person, type SceneProject } from '../../../test/scene.ts'
import { allRefs, flushPkt, namedTwice, pktLine, type RefMove, zeroId } from '../../platform/git/index.ts'
import { git } from '../../platform/git/scene.ts'
import { lines } from '../ref_updates/push_rules.ts'
import { sharedNameLines } from '../ref_updates/shared_names.ts'

const scene = await openScene()

/** The band on which git shows a client the last word of a push that failed. */
const errorBand = String.fromCharCode(3)

const repositoryOf = (project: SceneProject) => scene.deps.storages.repository({ id: project.id, repository_storage: 'default' })

const stateOf = async (project: SceneProject) => Object.fromEntries(await allRefs(repositoryOf(project)))

/**
 * A project whose Developers may push to `release` without force, and may not create tags `v*`; its repository has three commits,
 * `first` below `second` and `other` beside them.
 */
async function world() {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  const first = await scene.commit(project, { a: '1' })
  const second = await scene.commit(project, { b: '2' })
  git(repositoryOf(project), ['update-ref', 'refs/heads/release', second])
  git(repositoryOf(project), ['update-ref', 'refs/heads/topic', second])
  git(repositoryOf(project), ['update-ref', 'refs/tags/v1', first])
  git(repositoryOf(project), ['update-ref', 'refs/tags/free', first])
  await owner.post(`${project.url}/protected_branches`, { name: 'release', push_access_level: 30 })
  await owner.post(`${project.url}/protected_tags`, { name: 'v*' })
  const tree = git(repositoryOf(project), ['rev-parse', `${first}^{tree}`])
  const other = git(repositoryOf(project), ['commit-tree', '-m', 'other', tree])
  return { project, owner, developer, first, second, other }
}

test('two commands for one reference rewrite, delete and move nothing, and every command of the push is refused', async () => {
  const { project, developer, first, second, other } = await world()
  const [branch, tag] = ['refs/heads/release', 'refs/tags/v1']
  const attacks: RefMove[][] = [
    [
      { ref: branch, old: second, new: zeroId },
      { ref: branch, old: zeroId, new: other },
    ],
    [
      { ref: branch, old: zeroId, new: other },
      { ref: branch, old: second, new: zeroId },
    ],
    [
      { ref: branch, old: second, new: zeroId },
      { ref: branch, old: second, new: second },
    ],
    [
      { ref: tag, old: first, new: zeroId },
      { ref: tag, old: zeroId, new: other },
    ],
    [
      { ref: 'refs/heads/innocent', old: zeroId, new: other },
      { ref: branch, old: second, new: other },
      { ref: branch, old: second, new: second },
    ],
  ]
  const before = await stateOf(project)
  for (const capabilities of ['report-status', 'report-status atomic'])
    for (const attack of attacks) {
      const { unpack, lines: reported } = await rawPush(scene, project, developer, attack, { capabilities })
      const twice = attack.at(-1)!.ref
      assert.equal(unpack, 'ok')
      assert.deepEqual(
        reported,
        attack.map(({ ref }) => `ng ${ref} ${namedTwice(twice)}`),
      )
      assert.deepEqual(await stateOf(project), before)
    }
})

test('a branch does not take the name of a protected tag, nor such a tag that of a branch, one after the other or together', async () => {
  const { project, owner, developer, first, other } = await world()
  const before = await stateOf(project)
  const made = (ref: string, to = other): RefMove => ({ ref, old: zeroId, new: to })
  const push = async (person: Person, ...moves: RefMove[]) => (await rawPush(scene, project, person, moves)).lines

  const refusal = [`ng refs/heads/v1 ${sharedNameLines.branch}`]
  assert.deepEqual(await push(developer, made('refs/heads/v1')), refusal)
  git(repositoryOf(project), ['pack-refs', '--all'])
  assert.deepEqual(await push(developer, made('refs/heads/v1')), refusal)
  const both = await push(developer, made('refs/heads/v2'), made('refs/tags/v2'))
  assert.deepEqual(both, [`ng refs/heads/v2 ${sharedNameLines.branch}`, `ng refs/tags/v2 ${lines.createProtectedTag}`])
  assert.deepEqual(await stateOf(project), before)

  assert.deepEqual(await push(developer, made('refs/heads/v3'), made('refs/heads/free')), ['ok refs/heads/v3', 'ok refs/heads/free'])
  assert.deepEqual(await push(owner, made('refs/tags/v3')), [`ng refs/tags/v3 ${sharedNameLines.tag}`])
  assert.deepEqual(await push(owner, made('refs/heads/v1', first)), ['ok refs/heads/v1'], 'who may make the tag may make both')
  assert.deepEqual(await push(developer, { ref: 'refs/heads/v1', old: first, new: other }), refusal)
  const besides = { ref: 'refs/tags/v1', old: first, new: zeroId }
  const moved = await push(developer, besides, { ref: 'refs/heads/v1', old: first, new: other })
  assert.deepEqual(moved, [`ng refs/tags/v1 ${lines.deleteProtectedTag}`, ...refusal])
  await push(owner, { ref: 'refs/heads/v3', old: other, new: zeroId })
  assert.deepEqual(await push(owner, made('refs/tags/v3')), ['ok refs/tags/v3'])
})

test('an option with a NUL is refused in words, and the push with it', async () => {
  const { project, developer, second } = await world()
  const before = await stateOf(project)
  const { status, text } = await rawPush(scene, project, developer, [{ ref: 'refs/heads/new', old: zeroId, new: second }], {
    capabilities: 'report-status push-options',
    pack: Buffer.concat([pktLine('ci.skip\0merge_request.create'), flushPkt, emptyPack]),
  })
  assert.equal(status, 200)
  assert.match(text, /ERR Not a push option/)
  assert.deepEqual(await stateOf(project), before)
})

test('references outside of branches, tags and notes are refused, and each is reported', async () => {
  const { project, owner, second } = await world()
  git(repositoryOf(project), ['update-ref', 'refs/custom/old', second])
  const before = await stateOf(project)
  const refused: [ref: string, line: string][] = [
    ['refs/custom/x', lines.otherNamespace],
    ['refs/for/main', lines.otherNamespace],
    ['refs/remotes/origin/main', lines.otherNamespace],
    ['refs/stash/x', lines.otherNamespace],
    ['refs/Heads/main', lines.otherNamespace],
    ['refs/replace/x', lines.otherNamespace],
    ['refs/pipelines/1', lines.reserved],
    ['refs/environments/1', lines.reserved],
    ['refs/merge-requests/1/merge', lines.reserved],
    ['refs/keep-around/x', lines.reserved],
    ['HEAD', 'funny refname'],
    ['refs/heads/../tags/v1', 'funny refname'],
    ['refs/heads//main', 'funny refname'],
    ['refs/heads/main.lock', 'funny refname'],
    ['refs/notes', 'funny refname'],
  ]
  const moves = refused.map(([ref]) => ({ ref, old: zeroId, new: second }))
  const made = { ref: 'refs/notes/review', old: zeroId, new: second }
  const { lines: reported } = await rawPush(scene, project, owner, [...moves, made, { ref: 'refs/custom/old', old: second, new: zeroId }])
  assert.deepEqual(reported, [
    ...refused.map(([ref, line]) => `ng ${ref} ${line}`),
    'ok refs/notes/review',
    `ng refs/custom/old ${lines.otherNamespace}`,
  ])
  assert.deepEqual(await stateOf(project), { ...before, 'refs/notes/review': second })
})

test('a name that differs from another one only in letter case is refused, by a push and by the API', async () => {
  const { project, owner, second } = await world()
  const path = repositoryOf(project)
  git(path, ['update-ref', 'refs/heads/Straße/Über', second])
  for (const isPacked of [false, true]) {
    if (isPacked) git(path, ['pack-refs', '--all', '--prune'])
    const before = await stateOf(project)
    const attempts = [
      'refs/heads/Main',
      'refs/heads/RELEASE',
      'refs/tags/V1',
      'refs/heads/straße/ÜBER',
      'refs/heads/STRASSE/über',
      'refs/heads/relea\u017fe',
      'refs/heads/Main/below',
      'refs/heads/straße',
    ] as const
    for (const ref of attempts)
      for (const [old, target] of [
        [zeroId, second],
        [second, second],
        [second, zeroId],
      ] as const) {
        const { lines: reported } = await rawPush(scene, project, owner, [{ ref, old, new: target }])
        assert.match(reported[0] ?? '', /^ng .* The name differs from that of refs\/.* only in letter case\.$/, `${ref} ${old} ${target}`)
      }
    const api = await Promise.all([
      owner.post(`${project.url}/repository/branches`, { branch: 'MAIN', ref: 'main' }),
      owner.post(`${project.url}/repository/tags`, { tag_name: 'V1', ref: 'main' }),
      owner.post(`${project.url}/repository/commits`, {
        branch: 'Release',
        start_branch: 'main',
        commit_message: 'x',
        actions: [{ action: 'create', file_path: 'new', content: 'x' }],
      }),
      owner.post(`${project.url}/repository/files/new`, {
        branch: 'ReLease',
        start_branch: 'main',
        commit_message: 'x',
        content: 'x',
      }),
    ])
    for (const { status, body } of api) {
      assert.equal(status, 400)
      assert.match(body.message, /differs from that of '.*' only in letter case/)
    }
    assert.deepEqual(await stateOf(project), before)
  }
})

test('of concurrent creations of names that differ only in letter case at most one succeeds', async () => {
  const { project, owner, second } = await world()
  for (let round = 0; round < 5; round++) {
    const spellings = [`race-${round}`, `Race-${round}`, `RACE-${round}`, `rACE-${round}`, `racE-${round}/below`]
    const [answers] = await Promise.all([
      Promise.all(spellings.slice(0, 3).map(branch => owner.post(`${project.url}/repository/branches`, { branch, ref: 'main' }))),
      Promise.all(
        spellings.slice(3).map(name => rawPush(scene, project, owner, [{ ref: `refs/heads/${name}`, old: zeroId, new: second }])),
      ),
    ])
    for (const { status } of answers) assert.ok([201, 400].includes(status), String(status))

    const made = Object.keys(await stateOf(project)).filter(ref => ref.toLowerCase().includes(`race-${round}`))
    assert.ok(made.length <= 1, made.join(' '))
    // The losing client can use the existing name, or another one.
    const after = await owner.post(`${project.url}/repository/branches`, { branch: `other-${round}`, ref: 'main' })
    assert.equal(after.status, 201)
    if (made.length === 1)
      assert.equal(
        (await owner.delete(`${project.url}/repository/branches/${encodeURIComponent(made[0]!.slice('refs/heads/'.length))}`)).status,
        204,
      )
  }
  const left = await scene.deps.database.db.selectFrom('reference_intents').selectAll().where('project_id', '=', project.id).execute()
  assert.deepEqual(left, [])
})

test('a push of thousands of commands is checked in seconds', async () => {
  const { project, developer, second } = await world()
  const moves = Array.from({ length: 6000 }, (_, index) => ({ ref: `refs/other/name-${index}`, old: zeroId, new: second }))
  const start = performance.now()

  const { lines } = await rawPush(scene, project, developer, moves)

  const took = performance.now() - start
  assert.equal(lines.filter(line => line.startsWith('ng refs/other/name-')).length, moves.length)
  assert.ok(took < 5000, `${took} ms`)
})

test('a push that creates a name pending in a concurrent push is refused for it, and its other commands succeed', async () => {
  const { project, owner, second } = await world()
  const db = scene.deps.database.db
  const pending = JSON.stringify([{ ref: 'refs/heads/Pending', old: zeroId, new: second }])
  const { id } = await db
    .insertInto('reference_intents')
    .values({ project_id: project.id, moves: pending })
    .returning('id')
    .executeTakeFirstOrThrow()
  const moves = ['pending', 'free'].map(name => ({ ref: `refs/heads/${name}`, old: zeroId, new: second }))

  const alone = await rawPush(scene, project, owner, moves.slice(0, 1))
  const atomic = await rawPush(scene, project, owner, moves, { capabilities: 'report-status atomic' })
  const both = await rawPush(scene, project, owner, moves)
  const api = await owner.post(`${project.url}/repository/branches`, { branch: 'PENDING', ref: 'main' })

  const line = 'ng refs/heads/pending The name differs from that of refs/heads/Pending only in letter case.'
  assert.deepEqual(alone.lines, [line])
  assert.deepEqual(atomic.lines, [line, 'ng refs/heads/free atomic push failure'])
  assert.deepEqual(both.lines, [line, 'ok refs/heads/free'])
  assert.equal(api.status, 400)
  const left = await db.selectFrom('reference_intents').select('id').where('project_id', '=', project.id).execute()
  assert.deepEqual(left, [{ id }])
})

test('two names of one push that differ only in letter case are both refused; existing ones can be moved and deleted', async () => {
  const { project, developer, first, second } = await world()
  const { lines: both } = await rawPush(scene, project, developer, [
    { ref: 'refs/heads/new', old: zeroId, new: second },
    { ref: 'refs/heads/New', old: zeroId, new: second },
    { ref: 'refs/tags/New', old: zeroId, new: second },
  ])
  assert.deepEqual(
    both.map(line => line.slice(0, 2)),
    ['ng', 'ng', 'ok'],
  )
  git(repositoryOf(project), ['update-ref', 'refs/heads/twin', first])
  git(repositoryOf(project), ['update-ref', 'refs/heads/Twin', first])
  const { lines: twins } = await rawPush(scene, project, developer, [
    { ref: 'refs/heads/twin', old: first, new: second },
    { ref: 'refs/heads/Twin', old: first, new: zeroId },
  ])
  assert.deepEqual(twins, ['ok refs/heads/twin', 'ok refs/heads/Twin'])
})

/** Pseudo-random numbers (mulberry32) from a seed, so that a failure can be reproduced. */
function randomFrom(seed: number) {
  let state = seed
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000) * below)
  }
}

test('no combination of commands moves a reference to where no single command of the same user could', async t => {
  const { project, developer, owner, first, second, other } = await world()
  const start = await stateOf(project)
  const refs = ['heads/release', 'heads/release', 'tags/v1', 'tags/v1', 'heads/topic', 'heads/new', 'heads/Release', 'tags/v2']
  const seed = 5
  t.diagnostic(`seed ${seed}`)
  const random = randomFrom(seed)
  const pick = <T>(items: readonly T[]): T => items[random(items.length)] as T
  const restore = async () => {
    if (JSON.stringify(await stateOf(project)) === JSON.stringify(start)) return
    for (const ref of Object.keys(await stateOf(project))) if (!(ref in start)) git(repositoryOf(project), ['update-ref', '-d', ref])
    for (const [ref, id] of Object.entries(start)) git(repositoryOf(project), ['update-ref', ref, id])
  }
  /** The tips of references after a push; only those of interest that differ from the start. */
  const changesOf = async (person: Person, commands: readonly RefMove[], capabilities: string) => {
    await rawPush(scene, project, person, commands, { capabilities })
    const after = await stateOf(project)
    const names = new Set([...Object.keys(start), ...Object.keys(after)])
    return [...names].filter(ref => start[ref] !== after[ref]).map(ref => ({ ref, old: start[ref] ?? zeroId, new: after[ref] ?? zeroId }))
  }
  let changed = 0
  for (let round = 0; round < 60; round++) {
    const person = pick([developer, developer, owner])
    // Half of the pushes name one reference several times, the others several references once.
    const names = random(2) === 0 ? [pick(refs)] : [...new Set([pick(refs), pick(refs), pick(refs)])]
    const commands = Array.from({ length: names.length > 1 ? names.length : pick([1, 2, 3]) }, (_, index): RefMove => {
      const ref = `refs/${names[index % names.length]}`
      const old = start[ref] ?? zeroId
      const target = pick([first, second, other])
      return pick([
        { ref, old, new: zeroId },
        { ref, old: zeroId, new: target },
        { ref, old, new: target },
        { ref, old: pick([zeroId, first, second]), new: pick([zeroId, target]) },
      ])
    })
    const made = await changesOf(person, commands, pick(['report-status', 'report-status atomic']))
    await restore()
    for (const change of made) {
      changed++
      const alone = await changesOf(person, [change], 'report-status')
      assert.deepEqual(alone, [change], `round ${round}: ${JSON.stringify(commands)}`)
      await restore()
    }
  }
  assert.ok(changed >= 5, `only ${changed} changes were made`)
})

test('a push of more references than one may have is refused, with the reason on the band for errors', async () => {
  const { project, owner, first } = await world()
  const before = await stateOf(project)
  const many = Array.from({ length: 10_001 }, (_, index): RefMove => ({ ref: `refs/tags/t${index}`, old: zeroId, new: first }))

  const refused = await rawPush(scene, project, owner, many, { capabilities: 'report-status side-band-64k' })
  assert.ok(refused.text.includes(`${errorBand}A push may change 10000 references: push them in parts`), refused.text)
  assert.deepEqual(await stateOf(project), before)
})

test('names that are not UTF-8 are refused and not stored as others', async () => {
  const { project, owner, first } = await world()
  const before = await stateOf(project)
  const command = Buffer.concat([
    Buffer.from(`${zeroId} ${first} refs/heads/caf`),
    Buffer.from([0xe9]),
    Buffer.from('\0report-status side-band-64k'),
  ])
  const response = await fetch(`${scene.url}/${project.full_path}.git/git-receive-pack`, {
    method: 'POST',
    headers: { ...basic(owner), 'content-type': 'application/x-git-receive-pack-request' },
    body: Buffer.concat([pktLine(command), flushPkt, emptyPack]),
  })
  assert.ok((await response.text()).includes(`${errorBand}The names of references must be in UTF-8`))
  assert.deepEqual(await stateOf(project), before)
})

test('a NUL among the capabilities, behind which git reads nothing, is refused', async () => {
  const { project, owner, first } = await world()
  const before = await stateOf(project)
  const created: RefMove = { ref: 'refs/heads/short\0hidden', old: zeroId, new: first }

  const refused = await rawPush(scene, project, owner, [created], { capabilities: 'report-status side-band-64k' })
  assert.ok(refused.text.includes(`${errorBand}Not a push command`), refused.text)
  assert.deepEqual(await stateOf(project), before)
})

test('a push to a branch whose lock a git has left behind is refused with a line, and the others are not', async () => {
  const { project, developer, second } = await world()
  const first = git(repositoryOf(project), ['rev-parse', 'refs/tags/free'])
  const moves: RefMove[] = [
    { ref: 'refs/heads/topic', old: second, new: first },
    { ref: 'refs/heads/new', old: zeroId, new: first },
  ]
  const lock = join(repositoryOf(project).path, 'refs/heads/topic.lock')
  writeFileSync(lock, '')
  await eventually(() => Date.now() - statSync(lock).ctimeMs > 1_000, 'a lock that is held for longer than git needs')

  const { lines: reported } = await rawPush(scene, project, developer, moves)

  const line = 'The reference refs/heads/topic is locked by another process of git. Please try again later.'
  assert.deepEqual(reported, [`ng refs/heads/topic ${line}`, 'ok refs/heads/new'])
  const state = await stateOf(project)
  assert.deepEqual([state['refs/heads/topic'], state['refs/heads/new']], [second, first])
  rmSync(lock)
  assert.deepEqual((await rawPush(scene, project, developer, moves.slice(0, 1))).lines, ['ok refs/heads/topic'])
})

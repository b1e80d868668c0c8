/** Git and the database agree after any crash (house rule 9): a crash is a stop between two steps. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type SceneProject } from '../../../test/scene.ts'
import { commitActions, RefConflict, type RefMove, readRefs, updateRefs, zeroId } from '../../platform/git/index.ts'
import { type Deps, systemContext } from '../../platform/kernel/context.ts'
import { ensureRepository, type Stored } from '../../spaces/projects/repository/store.ts'
import { journalUpdate, settleJournalEntry } from './journal.ts'
import { moveReferences } from './move.ts'
import { reconcileReferences } from './reconcile.ts'

const scene = await openScene()
const { deps } = scene
const { db } = deps.database

/** A project with a repository with a few unreferenced commits. */
async function world() {
  const { project, owner } = await scene.project()
  const stored: Stored = { id: project.id, repository_storage: 'default' }
  const repository = await ensureRepository(deps.database.db, deps.storages, { ...stored, default_branch: null })
  const person = { name: 'Ida', email: 'ida@example.com' }
  const commits: string[] = []
  for (const name of ['README.md', 'a', 'b', 'c']) {
    const action = { action: 'create', file_path: name, content: Buffer.from(name) } as const
    const parent = commits.at(-1) ?? null
    commits.push(
      await commitActions(repository, { parent, actions: [action], author: person, committer: person, message: name, now: new Date() }),
    )
  }
  const [first = '', second = '', third = '', fourth = ''] = commits
  const actor = {
    user: { ...owner, admin: false, external: false, state: 'active' as const, kind: 'human', avatar_url: null, creator_id: null },
    credential: undefined,
    sudoBy: undefined,
  }
  const ctx = { deps, actor, request: { ...systemContext(deps, db).request, id: 'request-1', ip: '192.0.2.7' } }
  const tip = async (ref: string) => (await readRefs(repository, [ref]))[0]
  return { project, owner, stored, repository, ctx, tip, first, second, third, fourth }
}

const movesRecorded = async (project: SceneProject) => {
  const rows = await db
    .selectFrom('events')
    .select('payload')
    .where('project_id', '=', project.id)
    .where('kind', '=', 'reference.moved')
    .orderBy('id')
    .execute()
  return rows.map(row => row.payload as unknown as RefMove)
}

const intentsOf = (project: SceneProject) => db.selectFrom('reference_intents').selectAll().where('project_id', '=', project.id).execute()

const main = 'refs/heads/main'
const topic = 'refs/heads/topic'

/** The same instance, which fails in the transaction that records the outcome. */
const crashing: Deps = {
  ...deps,
  now: () => {
    throw new Error('crash')
  },
}

test('a move is made, recorded, and leaves no journal entry', async () => {
  const { project, owner, stored, ctx, tip, first } = await world()

  await moveReferences(ctx, stored, [{ ref: main, old: zeroId, new: first }])

  assert.equal(await tip(main), first)
  assert.deepEqual(await movesRecorded(project), [{ ref: main, old: zeroId, new: first }])
  assert.deepEqual(await intentsOf(project), [])
  const { default_branch, empty_repo, readme_url } = (await owner.get(project.url)).body
  assert.deepEqual({ default_branch, empty_repo }, { default_branch: 'main', empty_repo: false })
  assert.match(readme_url, /\/-\/blob\/main\/README\.md$/)
})

test('a lost race is reported, and leaves no traces', async () => {
  const { project, stored, ctx, tip, first, second } = await world()
  await moveReferences(ctx, stored, [{ ref: main, old: zeroId, new: first }])

  await assert.rejects(moveReferences(ctx, stored, [{ ref: main, old: second, new: second }]), RefConflict)
  await assert.rejects(
    moveReferences(ctx, stored, [
      { ref: topic, old: zeroId, new: second },
      { ref: main, old: zeroId, new: second },
    ]),
    RefConflict,
  )

  assert.deepEqual([await tip(main), await tip(topic)], [first, undefined])
  assert.equal((await movesRecorded(project)).length, 1)
  assert.deepEqual(await intentsOf(project), [])
})

test('of many concurrent moves of one reference exactly one succeeds', async () => {
  const { project, stored, ctx, tip, first, second, third, fourth } = await world()
  await moveReferences(ctx, stored, [{ ref: main, old: zeroId, new: first }])

  const outcomes = await Promise.allSettled(
    [second, third, fourth].map(target => moveReferences(ctx, stored, [{ ref: main, old: first, new: target }])),
  )

  assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected', 'rejected'])
  assert.deepEqual((await movesRecorded(project)).at(-1), { ref: main, old: first, new: await tip(main) })
  assert.deepEqual(await intentsOf(project), [])
})

test('a continuation without a handler is refused before anything moves', async () => {
  const { project, stored, ctx, tip, first } = await world()

  await assert.rejects(
    moveReferences(ctx, stored, [{ ref: main, old: zeroId, new: first }], { continuation: { kind: 'unknown', ref: main } }),
    /no continuation of a move of references is called unknown/,
  )

  assert.deepEqual([await intentsOf(project), await tip(main)], [[], undefined])
})

test('a crash before git moved anything leaves only a journal entry, which is dropped after a day', async t => {
  const { project, stored, tip, first } = await world()
  await journalUpdate(db, stored.id, undefined, [{ ref: main, old: zeroId, new: first }])

  await reconcileReferences(deps)
  assert.equal((await intentsOf(project)).length, 1)

  t.after(() => scene.setTime(undefined))
  scene.setTime(new Date(Date.now() + 25 * 60 * 60 * 1000).toISOString())
  await reconcileReferences(deps)
  assert.deepEqual([await intentsOf(project), await movesRecorded(project), await tip(main)], [[], [], undefined])
})

test('a crash after git moved a reference is recorded by the reconciler, once', async () => {
  const { project, owner, stored, ctx, first } = await world()
  const move = { ref: main, old: zeroId, new: first }
  await assert.rejects(moveReferences({ ...ctx, deps: crashing }, stored, [move]), /crash/)
  assert.deepEqual(await movesRecorded(project), [])

  await Promise.all([reconcileReferences(deps), reconcileReferences(deps), reconcileReferences(deps)])

  assert.deepEqual([await movesRecorded(project), await intentsOf(project)], [[move], []])
  assert.equal((await owner.get(project.url)).body.default_branch, 'main')
  const { actor_id } = await db
    .selectFrom('events')
    .select('actor_id')
    .where('project_id', '=', project.id)
    .where('kind', '=', 'reference.moved')
    .executeTakeFirstOrThrow()
  assert.equal(actor_id, owner.id)
})

test('what the reconciler has recorded is not recorded again by the request', async () => {
  const { project, stored, repository, first, second } = await world()
  const moves = [
    { ref: main, old: zeroId, new: first },
    { ref: topic, old: zeroId, new: second },
  ]
  const intent = await journalUpdate(db, stored.id, undefined, moves)
  await updateRefs(repository, moves.slice(0, 1))
  await reconcileReferences(deps)
  // The push is still in progress: its second move stays pending.
  assert.deepEqual(
    (await intentsOf(project)).map(row => row.moves),
    [moves.slice(1)],
  )

  await updateRefs(repository, moves.slice(1))
  await settleJournalEntry(deps, stored.id, intent as number, moves, true)

  assert.deepEqual([await movesRecorded(project), await intentsOf(project)], [moves, []])
})

test('of a large push what was made is recorded, in its order, and the rest stays pending', async () => {
  const { project, stored, repository, first, second } = await world()
  const moves = Array.from({ length: 600 }, (_, number) => ({ ref: `refs/heads/many/${number}`, old: zeroId, new: first }))
  const intent = await journalUpdate(db, stored.id, undefined, moves)
  const made = moves.filter((_, number) => number % 3 === 0)
  await updateRefs(repository, made)
  // The same names with other ends are other moves.
  const others = moves.map(({ ref, old }) => ({ ref, old, new: second }))

  await settleJournalEntry(deps, stored.id, intent as number, [...others, ...made.toReversed()], false)

  assert.deepEqual(await movesRecorded(project), made)
  assert.deepEqual(
    (await intentsOf(project)).map(row => row.moves),
    [moves.filter((_, number) => number % 3 !== 0)],
  )
})

test('a move counts as made if later moves build on it, even if the reference has another value by now', async () => {
  const { project, stored, ctx, first, second, third } = await world()
  await moveReferences(ctx, stored, [{ ref: main, old: zeroId, new: first }])
  await assert.rejects(moveReferences({ ...ctx, deps: crashing }, stored, [{ ref: main, old: first, new: second }]), /crash/)
  await moveReferences(ctx, stored, [{ ref: main, old: second, new: third }])

  await reconcileReferences(deps)

  const recorded = (await movesRecorded(project)).map(move => move.new)
  assert.deepEqual(new Set(recorded), new Set([first, second, third]))
  assert.equal(recorded.length, 3)
  assert.deepEqual(await intentsOf(project), [])
})

test('a move superseded before it was made is dropped without a trace', async t => {
  const { project, stored, ctx, first, second, third } = await world()
  await moveReferences(ctx, stored, [{ ref: main, old: zeroId, new: first }])
  await journalUpdate(db, stored.id, undefined, [{ ref: main, old: first, new: third }])
  await moveReferences(ctx, stored, [{ ref: main, old: first, new: second }])

  t.after(() => scene.setTime(undefined))
  scene.setTime(new Date(Date.now() + 25 * 60 * 60 * 1000).toISOString())
  await reconcileReferences(deps)

  assert.deepEqual(
    (await movesRecorded(project)).map(move => move.new),
    [first, second],
  )
  assert.deepEqual(await intentsOf(project), [])
})

test('a deletion recorded by the reconciler has the address of its request in the audit log', async () => {
  const { project, owner, stored, ctx, first } = await world()
  await moveReferences(ctx, stored, [{ ref: topic, old: zeroId, new: first }])
  await assert.rejects(moveReferences({ ...ctx, deps: crashing }, stored, [{ ref: topic, old: first, new: zeroId }]), /crash/)

  await reconcileReferences(deps)

  const entries = await db
    .selectFrom('audit_events')
    .select(['author_id', 'author_name', 'ip_address', 'request_id'])
    .where('entity_id', '=', project.id)
    .where('kind', '=', 'reference.moved')
    .execute()
  assert.deepEqual(entries, [{ author_id: owner.id, author_name: owner.name, ip_address: '192.0.2.7', request_id: 'request-1' }])
})

test('an entry whose repository was never created does not stop the others', async () => {
  const empty = await scene.project()
  await journalUpdate(db, empty.project.id, undefined, [{ ref: main, old: zeroId, new: 'a'.repeat(40) }])
  const { project, stored, ctx, first } = await world()
  await assert.rejects(moveReferences({ ...ctx, deps: crashing }, stored, [{ ref: main, old: zeroId, new: first }]), /crash/)

  await reconcileReferences(deps)

  assert.equal((await movesRecorded(project)).length, 1)
  assert.equal((await intentsOf(empty.project)).length, 1)
})

test('the first branch of a repository becomes its default: main or master before others', async () => {
  const { project, owner, stored, ctx, first } = await world()
  await moveReferences(
    ctx,
    stored,
    ['refs/tags/main', 'refs/heads/a', 'refs/heads/master', 'refs/notes/commits'].map(ref => ({ ref, old: zeroId, new: first })),
  )
  assert.equal((await owner.get(project.url)).body.default_branch, 'master')

  const tagged = await world()
  await moveReferences(tagged.ctx, tagged.stored, [{ ref: 'refs/tags/v1', old: zeroId, new: tagged.first }])
  assert.deepEqual((await tagged.owner.get(tagged.project.url)).body.empty_repo, true)
})

test('the first branch is protected as its group specifies', async () => {
  const levels: Record<number, unknown> = {}
  for (const default_branch_protection of [0, 1, 2, 3]) {
    const { group } = await scene.group()
    await scene.root.put(group.url, { default_branch_protection })
    const { project } = await scene.project({ group })
    await scene.commit(project, { a: '1' })
    const { body } = await scene.root.get(`${project.url}/protected_branches`)
    levels[default_branch_protection] = body.map(
      (row: { name: string; push_access_levels: { access_level: number }[]; merge_access_levels: { access_level: number }[] }) => [
        row.name,
        row.push_access_levels[0]?.access_level,
        row.merge_access_levels[0]?.access_level,
      ],
    )
  }
  assert.deepEqual(levels, { 0: [], 1: [['main', 30, 40]], 2: [['main', 40, 40]], 3: [['main', 40, 30]] })
})

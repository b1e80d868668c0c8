/** Scoped labels: an item has at most one label of each scope (public documentation at 14.0, premium). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oneOfEachScope, scopeOf } from './scoped.ts'

const scene = await openScene()
const free = await openScene({ settings: { tier: 'free' } })

describe('the scope of a label is the part before the last `::`', () => {
  for (const [name, scope] of [
    ['priority::high', 'priority'],
    ['a::b::c', 'a::b'],
    ['two words::of it', 'two words'],
    ['plain', undefined],
    ['a:b', undefined],
    ['::x', undefined],
    ['x::', undefined],
    ['', undefined],
  ] as const)
    test(JSON.stringify(name), () => assert.equal(scopeOf(name), scope))
})

test('of names that share a scope the last one stays in its position; on tier `free` all stay', () => {
  const names = ['a::1', 'plain', 'b::1', 'a::2', 'a::b::1', 'other']

  assert.deepEqual(oneOfEachScope(names, 'premium'), ['plain', 'b::1', 'a::2', 'a::b::1', 'other'])
  assert.deepEqual(oneOfEachScope(names, 'free'), names)
})

test('a label added to an issue replaces the one with its scope, in every way of adding', async () => {
  const { project, owner } = await scene.project()
  const path = `${project.url}/issues/1`
  const labels = async () => (await owner.get(path)).body.labels

  await owner.post(`${project.url}/issues`, { title: 'Shed', labels: 'state::new,state::ready,wood' })
  assert.deepEqual(await labels(), ['state::ready', 'wood'])
  await owner.put(path, { add_labels: 'state::doing,kind::bug' })
  assert.deepEqual(await labels(), ['kind::bug', 'state::doing', 'wood'])
  await owner.post(`${path}/notes`, { body: '/label ~"state::ready"' })
  assert.deepEqual(await labels(), ['kind::bug', 'state::ready', 'wood'])
  await owner.put(path, { labels: ['state::done', 'wood'], add_labels: ['state::new'] })
  assert.deepEqual(await labels(), ['state::new', 'wood'])

  const { body: events } = await owner.get(`${path}/resource_label_events`, { per_page: 100 })
  const actions = events.map((event: { action: string; label: { name: string } | null }) => `${event.action} ${event.label?.name}`)
  assert.deepEqual(actions.slice(2, 5).toSorted(), ['add kind::bug', 'add state::doing', 'remove state::ready'])
})

test('an epic has one label of a scope, too', async () => {
  const { group, owner } = await scene.group()
  const { body: epic } = await owner.post(`${group.url}/epics`, { title: 'Barn', labels: 'state::new,state::ready' })

  const changed = await owner.put(`${group.url}/epics/${epic.iid}`, { add_labels: 'state::done' })

  assert.deepEqual([epic.labels, changed.body.labels], [['state::ready'], ['state::done']])
})

test('on tier `free` a name with `::` has no special meaning', async () => {
  const { project, owner } = await free.project()
  await owner.post(`${project.url}/issues`, { title: 'Shed', labels: 'state::new' })

  const changed = await owner.put(`${project.url}/issues/1`, { add_labels: 'state::done' })

  assert.deepEqual(changed.body.labels, ['state::done', 'state::new'])
})

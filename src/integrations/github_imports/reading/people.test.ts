/** Who the people of GitHub are here: ids of one server are not those of another. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { atEnd } from '../../../../test/at_end.ts'
import { openScene } from '../../../../test/scene.ts'
import { providersFile } from '../../../identity/providers/kinds/scene.ts'
import { GITHUB } from '../commands.ts'
import { peopleOf } from './people.ts'

const settings = { client_id: 'this', client_secret: 'secret' }
const scene = await openScene({
  settings: {
    providersFile: await providersFile([
      { name: 'github', kind: 'github', settings: { ...settings, url: 'https://git.example.com' } },
      { name: 'public', kind: 'github', settings: { ...settings, url: 'https://github.com/' } },
    ]),
  },
})
const { db } = scene.deps.database

test('an identity counts where it is one at the server that is imported from, whatever the provider is called', async () => {
  const [ofEnterprise, ofPublic, person] = [await scene.user(), await scene.user(), await scene.user()]
  await db
    .insertInto('identities')
    .values([
      { user_id: ofEnterprise.id, provider: 'github', extern_uid: '5' },
      { user_id: ofPublic.id, provider: 'public', extern_uid: '6' },
    ])
    .execute()
  const lists = await mkdtemp(join(tmpdir(), 'ingot-lists-'))
  atEnd(() => rm(lists, { recursive: true, force: true }))
  await writeFile(join(lists, 'people.ndjson'), '{"id":5,"email":null}\n{"id":6,"email":null}\n')
  const found = async (importer: typeof person, base: string) => {
    const people = await scene.run(importer, ctx => peopleOf(ctx, lists, base))
    return [people.idOf(5), people.idOf(6)]
  }
  assert.deepEqual(await found(person, GITHUB), [person.id, ofPublic.id])
  assert.deepEqual(await found(person, 'https://git.example.com/api/v3'), [person.id, person.id])
  assert.deepEqual(await found(scene.root, 'https://git.example.com/api/v3'), [ofEnterprise.id, scene.root.id])
})
